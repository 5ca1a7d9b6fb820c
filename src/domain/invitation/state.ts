import { creation, modification } from '#domain/authorship.ts';
import type { Authorship } from '#domain/authorship.ts';
import { unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { InvitationEvent } from '#domain/invitation/events.ts';

/** An invitation that nobody has accepted or deleted; whether it has expired, the clock says. */
export type OpenInvitation = Authorship & {
  status: 'open';
  id: string;
  tenantId: string;
  role: string;
  payloadId: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
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
      ...creation(event),
    };
  }
  if (state.status !== 'open') return state;
  switch (event.type) {
    case 'tenant.invitation.resent':
      return {
        ...state,
        expiresAt: event.data.expires_at,
        ...modification(event),
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
