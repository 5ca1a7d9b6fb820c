import { randomBytes } from 'node:crypto';

const poolSize = 8_192;
let pool = Buffer.alloc(0);
let used = 0;

/** Random bytes out of a pool: one call of the generator for each is a third of the cost of sealing a card. */
export function random(size: number): Buffer {
  if (used + size > pool.length) {
    pool = randomBytes(Math.max(poolSize, size));
    used = 0;
  }
  const start = used;
  used += size;
  return pool.subarray(start, used);
}
