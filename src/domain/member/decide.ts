import type { Decision } from '#domain/event.ts';
import type { MemberEvent } from '#domain/member/events.ts';
import { ownerRole } from '#domain/member/role.ts';
import type { LiveMember, MemberState } from '#domain/member/state.ts';

export type NewMember = { id: string; userId: string; invitationId: string; role: string; payloadId: string };

/** A member may be created once; who was removed comes back by another invitation. */
export function createMember(state: MemberState, member: NewMember): Decision<MemberEvent> {
  if (state.status !== 'absent') {
    return {
      refused: 'already_exists',
      detail: 'The invitation has made a member already: delete it, and invite the address again.',
    };
  }
  const { id, userId, invitationId, role, payloadId } = member;
  return [
    {
      type: 'tenant.member.created',
      data: { id, user_id: userId, invitation_id: invitationId, role, payload_id: payloadId },
    },
  ];
}

export function updateMember(state: MemberState, role: string): Decision<MemberEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  return [{ type: 'tenant.member.updated', data: { id: state.id, role } }];
}

/** Removes a member, but no owner. Source: reference of members. */
export function deleteMember(state: MemberState): Decision<MemberEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  if (state.role === ownerRole) {
    return {
      refused: 'unprocessable',
      detail: `A member whose role is ${ownerRole} cannot be removed: change the role first.`,
    };
  }
  return [deleted(state)];
}

/** Takes back a member, of whatever role, whose invitation was deleted before it was accepted; none is fine. */
export const retractMember = (state: MemberState): Decision<MemberEvent> =>
  state.status === 'live' ? [deleted(state)] : [];

const deleted = ({ id, payloadId }: LiveMember) => ({
  type: 'tenant.member.deleted' as const,
  data: { id, payload_id: payloadId },
});
