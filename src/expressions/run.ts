import { ExpressionError } from './error.ts';
import { isComplex, jsonSize, type Json } from './json.ts';
import { limits } from './limits.ts';

/** A whole number from 0 up to, not including, the maximum: `randomInt` of node:crypto fits. */
export type Random = (maxExclusive: number) => number;

/** What everything in one operation shares: so many steps, and so much to show. */
export class Work {
  #left: number = limits.work;
  #shown = 0;
  readonly #sizes = new Map<Json, number>();

  get exhausted(): boolean {
    return this.#left <= 0;
  }

  /** @param units about five nanoseconds each, as a character costs that is handled in bulk */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left <= 0) throw new ExpressionError('the expression asks for too much work');
  }

  /** An exception costs far more than the step that threw it. */
  spendOnFailure(): void {
    this.#left -= 2_000;
  }

  /** Counts a result: a short expression may show large data many times over. */
  show(value: Json): void {
    this.#shown += isComplex(value) ? this.#sizeOf(value) : String(value).length;
    if (this.#shown > limits.shownLength) throw new ExpressionError('the result is too large');
  }

  /** Measures a value once, however often it is shown. */
  #sizeOf(value: Json): number {
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    const size = jsonSize(value, limits.shownLength);
    this.#sizes.set(value, size);
    return size;
  }
}

/** One evaluation: its budget, and randomness where aliases may be made. */
export type Run = { readonly work: Work; readonly random: Random | undefined };

export const newRun = (random?: Random): Run => ({ work: new Work(), random });
