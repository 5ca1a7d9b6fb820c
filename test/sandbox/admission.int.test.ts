import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createAdmission } from '#infra/sandbox/admission.ts';

const limits = { concurrency: 3, tenantConcurrency: 2, tenantQueue: 2, patience: 3_000 };

/** What has become of waiting by now. */
async function stateOf(entering: Promise<unknown>): Promise<'in' | 'refused' | 'waiting'> {
  const waiting = Symbol('waiting');
  const ended = await Promise.race([entering, new Promise((resolve) => setImmediate(resolve, waiting))]);
  if (ended === waiting) return 'waiting';
  return ended === undefined ? 'refused' : 'in';
}

test('given room, when a tenant calls, then it is let in up to its limit, queued up to that, then refused', async () => {
  const admission = createAdmission({ ...limits, concurrency: 10 });
  const calls = Array.from({ length: 5 }, () => admission.enter('one'));
  assert.equal(await Promise.all(calls.map(stateOf)), ['in', 'in', 'waiting', 'waiting', 'refused']);
  (await calls[0])?.();
  assert.equal(await Promise.all(calls.map(stateOf)), ['in', 'in', 'in', 'waiting', 'refused']);
  assert.is(await stateOf(admission.enter('another')), 'in');
});

test('given a machine that is full, when tenants with nothing running call, then each is let in once', async () => {
  const admission = createAdmission(limits);
  const [first] = [admission.enter('one'), admission.enter('one'), admission.enter('two')];
  assert.is(await stateOf(admission.enter('three')), 'in');
  const second = admission.enter('two');
  assert.is(await stateOf(second), 'waiting');
  (await first)?.();
  // Four ran, and the machine is for three: one place must come free first.
  assert.is(await stateOf(second), 'waiting');
});

test('given tenants that wait, when places come free, then they take turns', async () => {
  const admission = createAdmission({ ...limits, concurrency: 2, tenantConcurrency: 2, tenantQueue: 10 });
  const order: string[] = [];
  const held = [admission.enter('one'), admission.enter('two')];
  const enter = (tenantId: string): void => {
    void admission.enter(tenantId).then((leave) => {
      order.push(tenantId);
      leave?.();
    });
  };
  for (const tenantId of ['one', 'one', 'one', 'two']) enter(tenantId);
  for (const entered of held) (await entered)?.();
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.is(order.length, 4);
  assert.ok(order.indexOf('two') < 2, order.join());
});

test('given no room in time, when the patience ends, then the call is refused, and leaves nothing behind', async () => {
  const admission = createAdmission({ ...limits, tenantConcurrency: 1, patience: 5 });
  const held = await admission.enter('one');
  assert.is(await admission.enter('one'), undefined);
  held?.();
  held?.();
  assert.is(await stateOf(admission.enter('one')), 'in');
});

test.run();
