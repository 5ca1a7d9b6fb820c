import { creation, modification } from '#domain/authorship.ts';
import type { Authorship } from '#domain/authorship.ts';
import { unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { MemberEvent } from '#domain/member/events.ts';

export type LiveMember = Authorship & {
  status: 'live';
  id: string;
  tenantId: string;
  userId: string;
  role: string;
  payloadId: string;
};

export type MemberState = { status: 'absent' } | LiveMember | { status: 'gone' };

export const initialMember: MemberState = { status: 'absent' };

/** Folds one event into the state of a member. */
export function evolveMember(state: MemberState, event: MemberEvent): MemberState {
  if (event.type === 'tenant.member.created') {
    return {
      status: 'live',
      id: event.data.id,
      tenantId: event.metadata.tenant_id,
      userId: event.data.user_id,
      role: event.data.role,
      payloadId: event.data.payload_id,
      ...creation(event),
    };
  }
  if (state.status !== 'live') return state;
  switch (event.type) {
    case 'tenant.member.updated':
      return {
        ...state,
        role: event.data.role,
        ...modification(event),
      };
    case 'tenant.member.deleted':
      return { status: 'gone' };
    default:
      return unreachable(event);
  }
}

export const memberFold: Fold<MemberState, MemberEvent> = { initial: initialMember, evolve: evolveMember };
