import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { MemberEvent } from '#domain/member/events.ts';

export type LiveMember = {
  status: 'live';
  id: string;
  tenantId: string;
  userId: string;
  role: string;
  payloadId: string;
  createdBy: string | undefined;
  createdAt: string;
  modifiedBy: string | undefined;
  modifiedAt: string | undefined;
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
      createdBy: authorOf(event),
      createdAt: event.metadata.occurred_at,
      modifiedBy: undefined,
      modifiedAt: undefined,
    };
  }
  if (state.status !== 'live') return state;
  switch (event.type) {
    case 'tenant.member.updated':
      return {
        ...state,
        role: event.data.role,
        modifiedBy: authorOf(event),
        modifiedAt: event.metadata.occurred_at,
      };
    case 'tenant.member.deleted':
      return { status: 'gone' };
    default:
      return unreachable(event);
  }
}

export const memberFold: Fold<MemberState, MemberEvent> = { initial: initialMember, evolve: evolveMember };
