import { ExpressionError } from './error.ts';
import { jsonSize, type Json } from './json.ts';
import { limits } from './limits.ts';

/** A whole number from 0 up to, not including, the maximum: `randomInt` of node:crypto fits. */
export type Random = (maxExclusive: number) => number;

/** What everything in one operation shares: so many steps, and so much to show. */
export class Work {
  #left: number = limits.work;
  #showable: number;
  readonly #unfit = new Set<Json>();

  /** @param showable characters that may be shown, as JSON */
  constructor(showable: number = limits.shownLength) {
    this.#showable = showable;
  }

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

  /**
   * Whether a result may be shown beside those before it; it then counts. A short expression may show large data
   * many times over.
   */
  mayShow(value: Json): boolean {
    // There is never more room than before.
    if (this.#unfit.has(value)) return false;
    const size = jsonSize(value, this.#showable);
    if (size > this.#showable) {
      this.#unfit.add(value);
      this.#left -= this.#showable / 5;
      return false;
    }
    this.#showable -= size;
    return true;
  }
}

/** One evaluation: its budget, and randomness where aliases may be made. */
export type Run = { readonly work: Work; readonly random: Random | undefined };

export const newRun = ({
  random,
  showable,
}: { random?: Random | undefined; showable?: number } = {}): Run => ({
  work: new Work(showable),
  random,
});
