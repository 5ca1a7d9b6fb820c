import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { seededRandom } from '#src/seededRandom.ts';

const random = suite('seeded random numbers');

const draw = (maximum: number, count: number, ...seed: string[]): number[] => {
  const next = seededRandom(...seed);
  return Array.from({ length: count }, () => next(maximum));
};

random(
  'given the same seed, when it draws again, then the numbers are the same; given another, they are not',
  () => {
    assert.equal(draw(1_000, 50, 'command', 'id'), draw(1_000, 50, 'command', 'id'));
    assert.not.equal(draw(1_000, 50, 'command', 'id'), draw(1_000, 50, 'command', 'other'));
    assert.not.equal(draw(1_000, 50, 'ab', 'c'), draw(1_000, 50, 'a', 'bc'));
  },
);

random('given many draws, when they are counted, then each number comes about as often as the others', () => {
  const counts = new Array<number>(36).fill(0);
  for (const number of draw(36, 36_000, 'seed')) counts[number] = (counts[number] ?? 0) + 1;
  // Five standard deviations around a thousand.
  assert.ok(
    counts.every((count) => Math.abs(count - 1_000) < 160),
    String(counts),
  );
});

random.run();
