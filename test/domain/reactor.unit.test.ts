import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';
import { createReactor, deleteReactor, updateReactor } from '#domain/reactor/decide.ts';
import type { ReactorEvent } from '#domain/reactor/events.ts';
import { evolveReactor, initialReactor } from '#domain/reactor/state.ts';
import type { ReactorState } from '#domain/reactor/state.ts';

const metadata = {
  tenant_id: 'a1b2',
  actor: { type: 'application', id: 'c3d4' },
  occurred_at: '2026-01-02T03:04:05.000Z',
} as const;

const after = (state: ReactorState, decision: Decision<ReactorEvent>): ReactorState => {
  if (isRefusal(decision)) throw new Error(`refused: ${decision.refused}`);
  return decision.map((event) => ({ ...event, metadata }) as ReactorEvent).reduce(evolveReactor, state);
};

const attributes = { name: 'one', code: 'code', applicationId: 'app1', payloadId: 'p1' };
const fresh = after(initialReactor, createReactor(initialReactor, { id: 'r1', ...attributes }));

const reactor = suite('reactor');

reactor('given nothing, when a reactor is created, then it lives with all it was given', () => {
  assert.equal(fresh, {
    status: 'live',
    id: 'r1',
    tenantId: 'a1b2',
    ...attributes,
    createdBy: 'c3d4',
    createdAt: metadata.occurred_at,
    modifiedBy: undefined,
    modifiedAt: undefined,
  });
});

reactor(
  'given a reactor, when it is updated, then all is replaced, and the event names both payloads',
  () => {
    const changes = { name: 'two', code: 'other', applicationId: undefined, payloadId: 'p2' };
    const decision = updateReactor(fresh, changes);
    assert.equal(decision, [
      {
        type: 'reactor.updated',
        data: {
          id: 'r1',
          previous_payload_id: 'p1',
          name: 'two',
          code: 'other',
          application_id: undefined,
          payload_id: 'p2',
        },
      },
    ]);
    const { occurred_at: modifiedAt } = metadata;
    assert.equal(after(fresh, decision), { ...fresh, ...changes, modifiedBy: 'c3d4', modifiedAt });
  },
);

reactor('given a reactor, when it is deleted, then the event names what the vault is to forget', () => {
  assert.equal(deleteReactor(fresh), [{ type: 'reactor.deleted', data: { id: 'r1', payload_id: 'p1' } }]);
});

reactor(
  'given a reactor that is gone, when anything is asked, then it is not found, and not made again',
  () => {
    const gone = after(fresh, deleteReactor(fresh));
    assert.equal(gone, { status: 'gone' });
    for (const state of [gone, initialReactor]) {
      assert.equal(updateReactor(state, attributes), { refused: 'not_found' });
      assert.equal(deleteReactor(state), { refused: 'not_found' });
    }
    for (const state of [gone, fresh]) {
      const again = createReactor(state, { id: 'r1', ...attributes });
      assert.is(isRefusal(again) && again.refused, 'already_exists');
    }
  },
);

reactor.run();
