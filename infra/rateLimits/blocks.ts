import { performance } from 'node:perf_hooks';

/** More than that are not remembered; the store is asked again about others. */
const most = 10_000;

/**
 * Which clients are refused until when. A flood of a client that is blocked costs the database nothing by it; what
 * the library has for that blocks for a whole duration anew, or not at all in the store.
 */
export class Blocks {
  /** By a clock that nobody can set, in milliseconds; those that end first come first, nearly. */
  readonly #ends = new Map<string, number>();

  /** 0: it is not blocked. */
  millisecondsLeft(key: string): number {
    const end = this.#ends.get(key);
    if (end === undefined) return 0;
    const left = end - performance.now();
    if (left > 0) return left;
    this.#ends.delete(key);
    return 0;
  }

  add(key: string, milliseconds: number): void {
    this.#ends.delete(key);
    this.#ends.set(key, performance.now() + milliseconds);
    if (this.#ends.size <= most) return;
    for (const oldest of this.#ends.keys()) {
      this.#ends.delete(oldest);
      return;
    }
  }
}
