import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fromReconciliationId, reconciliationId } from '#domain/transaction/reconciliationId.ts';

const ids = suite('reconciliation ids');

ids('given the known pair, when either is converted, then it is the other', () => {
  const uuid = 'fe26475d-ec3e-4884-9553-f7356683f7f9';
  assert.is(reconciliationId(uuid), '7jZXl4gBUNl0CnaLEnfXbt');
  assert.is(fromReconciliationId('7jZXl4gBUNl0CnaLEnfXbt'), uuid);
});

ids('given any uuid, when it is converted there and back, then it is the same', () => {
  fc.assert(fc.property(fc.uuid(), (uuid) => fromReconciliationId(reconciliationId(uuid)) === uuid));
});

ids('given the least uuid, when it is converted, then it is not padded', () => {
  assert.is(reconciliationId('00000000-0000-0000-0000-000000000000'), '0');
});

ids('given what is none, when it is read, then it stands for nothing', () => {
  for (const text of ['', 'a-b', 'z'.repeat(22), '1'.repeat(23)]) {
    assert.is(fromReconciliationId(text), undefined);
  }
});

ids.run();
