import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { InvitationEvent } from '#domain/invitation/events.ts';

/** An invitation that nobody has accepted or deleted; whether it has expired, the clock says. */
export type OpenInvitation = {
  status: 'open';
  id: string;
  tenantId: string;
  role: string;
  payloadId: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
  createdBy: string | undefined;
  createdAt: string;
  modifiedBy: string | undefined;
  modifiedAt: string | undefined;
};

export type InvitationState =
  { status: 'absent' } | OpenInvitation | { status: 'accepted' } | { status: 'deleted' };

export const initialInvitation: InvitationState = { status: 'absent' };

/** Folds one event into the state of an invitation. */
export function evolveInvitation(state: InvitationState, event: InvitationEvent): InvitationState {
  if (event.type === 'tenant.invitation.created') {
    return {
      status: 'open',
      id: event.data.id,
      tenantId: event.metadata.tenant_id,
      role: event.data.role,
      payloadId: event.data.payload_id,
      expiresAt: event.data.expires_at,
      createdBy: authorOf(event),
      createdAt: event.metadata.occurred_at,
      modifiedBy: undefined,
      modifiedAt: undefined,
    };
  }
  if (state.status !== 'open') return state;
  switch (event.type) {
    case 'tenant.invitation.resent':
      return {
        ...state,
        expiresAt: event.data.expires_at,
        modifiedBy: authorOf(event),
        modifiedAt: event.metadata.occurred_at,
      };
    case 'tenant.invitation.accepted':
      return { status: 'accepted' };
    case 'tenant.invitation.deleted':
      return { status: 'deleted' };
    default:
      return unreachable(event);
  }
}

export const invitationFold: Fold<InvitationState, InvitationEvent> = {
  initial: initialInvitation,
  evolve: evolveInvitation,
};
