import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RepeatFinder } from '#src/accountUpdater/repeats.ts';

const repeats = suite('tokens that chunks have in common');

const found = (tokens: readonly string[], chunkRows: number) => {
  const finder = new RepeatFinder();
  tokens.forEach((token, index) => {
    finder.see({ token, number: index + 1 });
  });
  return finder.ofChunks(chunkRows);
};

repeats('given no token twice, then chunks share nothing, however many there are', () => {
  const tokens = Array.from({ length: 20_000 }, (_, index) => `token-${index}`);
  assert.is(found(tokens, 2_000).size, 0);
});

repeats('given a token in one chunk only, then nothing is shared', () => {
  assert.is(found(['a', 'a', 'b', 'c', 'c', 'c'], 3).size, 0);
});

repeats('given tokens in several chunks, then each names the last row before it', () => {
  const shared = found(['a', 'b', 'a', 'x', 'b', 'a'], 2);
  assert.equal(
    [...shared].sort(([one], [other]) => one - other),
    [
      [0, { from: [], rows: [1, 2] }],
      [1, { from: [0], rows: [3] }],
      [2, { from: [0, 1], rows: [] }],
    ],
  );
});

repeats(
  'given any file, then each chunk comes after those that it has tokens in common with, and leads to the first',
  () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        (numbers, chunkRows) => {
          const tokens = numbers.map((number) => `t${number}`);
          const shared = found(tokens, chunkRows);
          const chunkOf = (index: number): number => Math.floor(index / chunkRows);
          for (const [chunk, { from }] of shared) for (const one of from) assert.ok(one < chunk);
          tokens.forEach((token, index) => {
            const before = tokens.lastIndexOf(token, chunkOf(index) * chunkRows - 1);
            if (index < chunkRows || before === -1) return;
            assert.ok(shared.get(chunkOf(index))?.from.includes(chunkOf(before)));
            assert.ok(shared.get(chunkOf(before))?.rows.includes(before + 1));
          });
        },
      ),
    );
  },
);

repeats.run();
