import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Coalescer } from '#infra/eventlog/postgres/coalescer.ts';
import type { CoalescerLimits } from '#infra/eventlog/postgres/coalescer.ts';

type Item = { name: string; keys: string[]; size: number };

const limits: CoalescerLimits = { items: 3, size: 100, concurrency: 1 };

/** A coalescer that remembers the names in its batches, and answers each item with its name. */
function recording(chosen: Partial<CoalescerLimits> = {}) {
  const batches: string[][] = [];
  const coalescer = new Coalescer<Item, string>(
    (items) => {
      batches.push(items.map(({ name }) => name));
      return Promise.resolve(items.map(({ name }) => ({ status: 'fulfilled', value: name })));
    },
    { ...limits, ...chosen },
  );
  const addAll = (...items: Item[]) => Promise.all(items.map((item) => coalescer.add(item)));
  return { batches, addAll };
}

function item(name: string, keys: string[] = [], size = 1): Item {
  return { name, keys, size };
}

test('given items at once, then they share batches up to the limit, each with its own answer', async () => {
  const { batches, addAll } = recording();
  const answers = await addAll(...['a', 'b', 'c', 'd'].map((name) => item(name)));
  assert.equal(answers, ['a', 'b', 'c', 'd']);
  assert.equal(batches, [['a', 'b', 'c'], ['d']]);
});

test('given items with a common key, then they go one after the other, in order', async () => {
  const { batches, addAll } = recording();
  await addAll(item('a', ['x']), item('b', ['x', 'y']), item('c', ['y']), item('d', ['z']));
  assert.equal(batches, [['a', 'd'], ['b'], ['c']]);
});

test('given large items, then a batch stays within its size, and one that is larger goes alone', async () => {
  const { batches, addAll } = recording();
  await addAll(item('a', [], 60), item('b', [], 60), item('c', [], 40), item('huge', [], 500));
  assert.equal(batches, [['a', 'c'], ['b'], ['huge']]);
});

test('given a batch that fails, then its items fail and later ones do not', async () => {
  let failing = true;
  const coalescer = new Coalescer<Item, string>((items) => {
    if (failing) return Promise.reject(new Error('down'));
    return Promise.resolve(items.map(({ name }) => ({ status: 'fulfilled', value: name })));
  }, limits);
  const outcomes = await Promise.allSettled([coalescer.add(item('a')), coalescer.add(item('b'))]);
  assert.equal(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  failing = false;
  assert.is(await coalescer.add(item('c')), 'c');
});

test.run();
