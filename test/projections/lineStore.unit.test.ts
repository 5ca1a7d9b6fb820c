import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLineStore } from '#projections/engine/lineStore.ts';

const test = suite('line store');

const keys = fc.constantFrom('a', 'b', 'c', 'd');
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('x'.repeat(700_000)), fc.constant(''));
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ op: fc.constant('set' as const), key: keys, line: text }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), key: keys }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('compact' as const) }) },
);

test('given any operations, then it holds what a map would hold', () => {
  const oneLine = (line: string): string => line.toWellFormed().replaceAll('\n', ' ');
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
      const store = createLineStore();
      const model = new Map<string, string>();
      for (const step of operations) {
        switch (step.op) {
          case 'set':
            store.set(step.key, oneLine(step.line));
            model.set(step.key, oneLine(step.line));
            break;
          case 'delete':
            store.delete(step.key);
            model.delete(step.key);
            break;
          case 'compact':
            store.compact();
        }
      }
      for (const key of ['a', 'b', 'c', 'd']) assert.is(store.get(key), model.get(key));
      const sent = Buffer.concat([...store.pieces()]).toString();
      const lines = [...model.values()].map((line) => `${line}\n`);
      assert.equal(sent.split('\n').sort(), lines.join('').split('\n').sort());
    }),
    { numRuns: 60 },
  );
});

test('given replaced lines, when it is compacted, then their memory is given back', () => {
  const store = createLineStore();
  for (let n = 0; n < 40; n += 1) store.set('key', 'x'.repeat(1_000_000));
  const before = store.bytes();
  store.compact();
  assert.ok(store.bytes() < before / 4);
  assert.is(store.get('key')?.length, 1_000_000);
});

test.run();
