import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createConnection,
  deleteConnection,
  forgetConnection,
  noteAvailability,
  updateConnection,
} from '#domain/connection/decide.ts';
import type { ConnectionEvent } from '#domain/connection/events.ts';
import { evolveConnection, initialConnection } from '#domain/connection/state.ts';
import type { ConnectionState } from '#domain/connection/state.ts';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';

const metadata = {
  tenant_id: 'a1b2',
  actor: { type: 'application', id: 'c3d4' },
  occurred_at: '2026-01-02T03:04:05.000Z',
} as const;

const after = (state: ConnectionState, decision: Decision<ConnectionEvent>): ConnectionState => {
  if (isRefusal(decision)) throw new Error(`refused: ${decision.refused}`);
  return decision.map((event) => ({ ...event, metadata }) as ConnectionEvent).reduce(evolveConnection, state);
};
const availabilityOf = (state: ConnectionState) =>
  state.status === 'live' ? state.availability : state.status;

const kind = { formulaId: 'sandbox-card', method: 'card' };
const attributes = {
  displayName: 'Sandbox',
  acceptedCountries: ['US'],
  acceptedCurrencies: ['USD'],
  active: true,
  payloadId: 'p1',
};
const fresh = after(
  initialConnection,
  createConnection(initialConnection, { id: 'c1', threeDSecureEnabled: true, ...kind, ...attributes }),
);
const found = (availability: 'available' | 'failed', payloadId = 'p1') => ({ availability, payloadId });
const available = after(fresh, noteAvailability(fresh, found('available')));

const connection = suite('connection');

connection('given nothing, when a connection is created, then it is pending, with all it was given', () => {
  assert.equal(fresh, {
    status: 'live',
    id: 'c1',
    tenantId: 'a1b2',
    ...kind,
    ...attributes,
    threeDSecureEnabled: true,
    availability: 'pending',
    createdBy: 'c3d4',
    createdAt: metadata.occurred_at,
    modifiedBy: undefined,
    modifiedAt: undefined,
  });
});

connection(
  'given a pending connection, when its credentials are checked, then it is available or failed',
  () => {
    assert.is(availabilityOf(available), 'available');
    const failed = noteAvailability(fresh, { ...found('failed'), errorCode: 'invalid_service_credentials' });
    assert.equal(failed, [
      {
        type: 'connection.failed',
        data: { id: 'c1', payload_id: 'p1', error_code: 'invalid_service_credentials' },
      },
    ]);
    assert.is(availabilityOf(after(fresh, failed)), 'failed');
  },
);

connection('given an available connection, when the same is found again, then nothing happens', () => {
  assert.equal(noteAvailability(available, found('available')), []);
  assert.is(availabilityOf(after(available, noteAvailability(available, found('failed')))), 'failed');
});

connection('given new credentials, when a check of the old ones ends, then it does not count', () => {
  const changed = after(available, updateConnection(available, { ...kind, ...attributes, payloadId: 'p2' }));
  assert.is(availabilityOf(changed), 'pending');
  assert.equal(noteAvailability(changed, found('failed', 'p1')), []);
  assert.is(availabilityOf(after(changed, noteAvailability(changed, found('available', 'p2')))), 'available');
});

connection(
  'given an available connection, when all but its fields is updated, then it stays available',
  () => {
    const decision = updateConnection(available, {
      ...kind,
      ...attributes,
      displayName: 'Other',
      active: false,
    });
    assert.ok(!isRefusal(decision));
    assert.is((decision[0]?.data as { previous_payload_id?: string }).previous_payload_id, undefined);
    assert.is(availabilityOf(after(available, decision)), 'available');
  },
);

connection('given a connection, when its formula or method is to change, then that is invalid', () => {
  const otherFormula = updateConnection(fresh, { ...kind, ...attributes, formulaId: 'stripe-card' });
  assert.equal(otherFormula, {
    refused: 'invalid',
    faults: { connection_formula_id: ["cannot change: it is 'sandbox-card'"] },
  });
  const otherMethod = updateConnection(fresh, { ...kind, ...attributes, method: 'bank' });
  assert.ok(isRefusal(otherMethod) && otherMethod.refused === 'invalid');
});

connection(
  'given a connection that is gone, when anything is asked, then it is not found, nor made again',
  () => {
    const deleted = after(fresh, deleteConnection(fresh));
    assert.equal(deleted, {
      status: 'deleted',
      tenantId: metadata.tenant_id,
      id: 'c1',
      formulaId: 'sandbox-card',
      payloadId: attributes.payloadId,
    });
    const gone = after(deleted, forgetConnection(deleted));
    assert.equal(gone, { status: 'gone' });
    for (const state of [fresh, gone]) assert.equal(forgetConnection(state), []);
    for (const state of [deleted, gone, initialConnection]) {
      assert.equal(updateConnection(state, { ...kind, ...attributes }), { refused: 'not_found' });
      assert.equal(deleteConnection(state), { refused: 'not_found' });
      assert.equal(noteAvailability(state, found('available')), []);
    }
    for (const state of [deleted, gone, fresh]) {
      const again = createConnection(state, { id: 'c1', threeDSecureEnabled: true, ...kind, ...attributes });
      assert.ok(isRefusal(again) && again.refused === 'already_exists');
    }
  },
);

connection.run();
