import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '#ports/json.ts';
import { tenantId, things } from '#test/projections/support/things.ts';
import { recordedEvent, specification } from '#test/support/projection.ts';

const test = suite('specification of a projection');

const event = (type: string, data: JsonObject) => recordedEvent({ type, data });
const history = [
  event('thing.added', { id: '1', name: 'first' }),
  event('thing.added', { id: '2', name: 'gone' }),
  event('thing.renamed', { id: '1', name: 'renamed' }),
  event('thing.removed', { id: '2' }),
  event('thing.renamed', { id: '2', name: 'too late' }),
];
const row = {
  tenant_id: tenantId,
  id: '1',
  name: 'renamed',
  size: 7,
  ordinal: history[0]?.ordinal,
  active: true,
  digest: Buffer.from([0, 92, 255]),
  added_at: new Date('2030-01-02T03:04:05.678Z'),
  renamed_at: '2030-01-02T03:04:05.678Z',
};

test('given events, when they are applied once or twice, then the rows are the same', () => {
  specification(things())
    .given(history)
    .when()
    .then({ things: [row] });
  specification(things())
    .given(history)
    .when({ numberOfTimes: 2 })
    .then({ things: [row] });
});

/** Whether it fails; `assert.throws` lets assertions through. */
function fails(run: () => void): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}

test('given other rows than expected, then it fails', () => {
  const once = specification(things()).given(history).when();
  for (const rows of [[], [{ ...row, size: 8 }], [{ ...row, wrong: 1 }], [row, { ...row, id: '3' }]]) {
    assert.ok(
      fails(() => {
        once.then({ things: rows });
      }),
    );
  }
});

test('given a row without a required column, then it fails', () => {
  const nameless = specification(things())
    .given([event('thing.added', { id: '1' })])
    .when();
  assert.ok(
    fails(() => {
      nameless.then({ things: [{ ...row, name: null }] });
    }),
  );
});

test('given events that change access, then they name the applications', () => {
  const changing = [event('thing.added', { id: '1', name: 'a', application_id: 'app' }), ...history];
  specification(things()).given(changing).when({ numberOfTimes: 2 }).thenInvalidates(['app']);
});

test.run();
