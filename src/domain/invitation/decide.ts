import type { Decision } from '#domain/event.ts';
import type { InvitationEvent } from '#domain/invitation/events.ts';
import type { InvitationState } from '#domain/invitation/state.ts';

/** How long an invitation stands, from its creation or the last time it was resent: seven days, in milliseconds. */
export const invitationLifetime = 7 * 24 * 60 * 60_000;

export type NewInvitation = { id: string; role: string; payloadId: string; expiresAt: string };

export function createInvitation(
  state: InvitationState,
  { id, role, payloadId, expiresAt }: NewInvitation,
): Decision<InvitationEvent> {
  if (state.status !== 'absent') {
    return { refused: 'already_exists', detail: 'The invitation exists already, or has existed.' };
  }
  return [
    {
      type: 'tenant.invitation.created',
      data: { id, role, payload_id: payloadId, expires_at: expiresAt },
    },
  ];
}

/** Gives an invitation its time anew, also one that has expired. */
export function resendInvitation(state: InvitationState, expiresAt: string): Decision<InvitationEvent> {
  if (state.status !== 'open') return { refused: 'not_found' };
  return [{ type: 'tenant.invitation.resent', data: { id: state.id, expires_at: expiresAt } }];
}

export function acceptInvitation(
  state: InvitationState,
  memberId: string,
  isExpired: (expiresAt: string) => boolean,
): Decision<InvitationEvent> {
  if (state.status !== 'open') return { refused: 'not_found' };
  if (isExpired(state.expiresAt)) {
    return { refused: 'unprocessable', detail: 'The invitation has expired: resend it first.' };
  }
  return [
    {
      type: 'tenant.invitation.accepted',
      data: { id: state.id, payload_id: state.payloadId, member_id: memberId },
    },
  ];
}

export function deleteInvitation(state: InvitationState): Decision<InvitationEvent> {
  if (state.status !== 'open') return { refused: 'not_found' };
  return [{ type: 'tenant.invitation.deleted', data: { id: state.id, payload_id: state.payloadId } }];
}
