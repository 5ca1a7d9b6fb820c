import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createServed } from '#infra/sandbox/served.ts';
import type { CodeCall, CodeCallAnswer } from '#ports/sandbox.ts';

const ok: CodeCallAnswer = { failed: false, payload: '{}' };

/** Served calls that end when they are told to. */
function setUp() {
  const under: { call: CodeCall; end: () => void }[] = [];
  const settled: [number, boolean][] = [];
  const served = createServed(
    (call) =>
      new Promise((resolve) => {
        under.push({
          call,
          end: () => {
            resolve(ok);
          },
        });
      }),
    (id, { failed }) => settled.push([id, failed]),
  );
  return { served, under, settled };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('given many calls of code, when they are begun, then some are made at a time, in their order', async () => {
  const { served, under, settled } = setUp();
  for (let id = 1; id <= 20; id += 1) served.begin(id, 'fetch', `${id}`);
  assert.equal(
    under.map(({ call }) => call.payload),
    ['1', '2', '3', '4', '5', '6', '7', '8'],
  );
  under[2]?.end();
  await turn();
  assert.equal(settled, [[3, false]]);
  assert.is(under.at(-1)?.call.payload, '9');
  // It grows while it is gone through.
  for (const { end } of under) {
    end();
    await turn();
  }
  assert.is(settled.length, 20);
});

test('given more than may wait, when it is begun, then it fails at once, and the others go on', async () => {
  const { served, under, settled } = setUp();
  for (let id = 1; id <= 300; id += 1) served.begin(id, 'bt', '');
  assert.is(settled.length, 92);
  assert.ok(settled.every(([, failed]) => failed));
  const large = setUp();
  for (let id = 1; id <= 4; id += 1) large.served.begin(id, 'fetch', 'x'.repeat(5 * 1024 * 1024));
  assert.equal(large.settled, [[4, true]]);
  assert.is(under.length, 8);
});

test('given calls under way, when they are cancelled or the invocation ends, then they are aborted and never settled', async () => {
  const { served, under, settled } = setUp();
  for (let id = 1; id <= 10; id += 1) served.begin(id, 'fetch', '');
  served.cancel(1);
  served.cancel(10);
  assert.is(under[0]?.call.signal.aborted, true);
  served.end();
  for (const { end } of under) end();
  await turn();
  assert.equal(settled, []);
  assert.ok(under.every(({ call }) => call.signal.aborted));
});

test.run();
