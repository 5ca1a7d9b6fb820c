import { hash } from 'node:crypto';

/**
 * Whole numbers from 0 up to, not including, a maximum of at most 2^32: even, and the same again for the same seed,
 * so that a command that is repeated draws what it drew before.
 */
export function seededRandom(...seed: readonly string[]): (maxExclusive: number) => number {
  let block = 0;
  let words: number[] = [];
  const draw = (): number => {
    if (words.length === 0) {
      const bytes = hash('sha256', JSON.stringify([...seed, block++]), 'buffer');
      words = Array.from({ length: 8 }, (_, index) => bytes.readUInt32BE(index * 4));
    }
    return words.pop() ?? 0;
  };
  return (maxExclusive) => {
    // The last, incomplete stretch of the range would make small numbers more likely.
    const even = 2 ** 32 - (2 ** 32 % maxExclusive);
    let drawn = draw();
    while (drawn >= even) drawn = draw();
    return drawn % maxExclusive;
  };
}
