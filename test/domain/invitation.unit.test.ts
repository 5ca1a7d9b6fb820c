import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';
import {
  acceptInvitation,
  createInvitation,
  deleteInvitation,
  resendInvitation,
} from '#domain/invitation/decide.ts';
import type { InvitationEvent } from '#domain/invitation/events.ts';
import { evolveInvitation, initialInvitation } from '#domain/invitation/state.ts';
import type { InvitationState } from '#domain/invitation/state.ts';

const metadata = {
  tenant_id: 'a1b2',
  actor: { type: 'application', id: 'app' },
  occurred_at: '2026-01-02T03:04:05.000Z',
} as const;

const after = (state: InvitationState, decision: Decision<InvitationEvent>): InvitationState => {
  if (isRefusal(decision)) throw new Error(`refused: ${decision.refused}`);
  return decision.map((event) => ({ ...event, metadata }) as InvitationEvent).reduce(evolveInvitation, state);
};

const given = { id: 'i1', role: 'ADMIN', payloadId: 'p1', expiresAt: '2026-01-09T03:04:05.000Z' };
const open = after(initialInvitation, createInvitation(initialInvitation, given));
const accepted = after(
  open,
  acceptInvitation(open, 'm1', () => false),
);
const deleted = after(open, deleteInvitation(open));

const invitation = suite('invitation');

invitation('given nothing, when somebody is invited, then the invitation is open and has its author', () => {
  assert.equal(open, {
    status: 'open',
    ...given,
    tenantId: 'a1b2',
    createdBy: 'app',
    createdAt: metadata.occurred_at,
    modifiedBy: undefined,
    modifiedAt: undefined,
  });
});

invitation('given an invitation, when it is created again, then that is refused', () => {
  for (const state of [open, accepted, deleted]) {
    const decision = createInvitation(state, given);
    assert.is(isRefusal(decision) && decision.refused, 'already_exists');
  }
});

invitation('given an invitation, when it is resent, then it expires later and says who changed it', () => {
  const resent = after(open, resendInvitation(open, '2026-02-01T00:00:00.000Z'));
  assert.is(resent.status === 'open' && resent.expiresAt, '2026-02-01T00:00:00.000Z');
  assert.is(resent.status === 'open' && resent.modifiedBy, 'app');
});

invitation('given an invitation, when it is accepted, then the event names payload and member', () => {
  assert.equal(accepted, { status: 'accepted' });
  assert.equal(
    acceptInvitation(open, 'm1', (expiresAt) => expiresAt !== given.expiresAt),
    [{ type: 'tenant.invitation.accepted', data: { id: 'i1', payload_id: 'p1', member_id: 'm1' } }],
  );
});

invitation('given an invitation that has expired, when it is accepted, then that is refused', () => {
  const decision = acceptInvitation(open, 'm1', () => true);
  assert.is(isRefusal(decision) && decision.refused, 'unprocessable');
});

invitation(
  'given an invitation that is accepted or deleted, when anything is asked, then it is not found',
  () => {
    for (const state of [initialInvitation, accepted, deleted]) {
      for (const decision of [
        resendInvitation(state, given.expiresAt),
        deleteInvitation(state),
        acceptInvitation(state, 'm1', () => false),
      ]) {
        assert.equal(decision, { refused: 'not_found' });
      }
    }
  },
);

invitation.run();
