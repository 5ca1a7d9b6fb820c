/** Requests at a time to one endpoint: it starts small, grows while all is accepted, and shrinks when it is not. */
const widths = { first: 4, most: 16 };
/**
 * An endpoint that refuses one after the other is tried more and more slowly, until it accepts: what is sent to it for
 * nothing takes time from the others. Milliseconds before an attempt, twice as long with each.
 */
const rests = { first: 5, longest: 1_000 };
/** Refusals in a row. Some that are refused now and then among others are no reason to slow down for long. */
const failure = 6;

/** How many requests at a time an endpoint is sent, and how soon after one another, by how it answered. */
export class Pace {
  #width = widths.first;
  #refusals = 0;
  #restsUntil = 0;

  /** Requests at a time. */
  get width(): number {
    return this.#width;
  }

  /** Milliseconds before the next attempt. */
  get rest(): number {
    return Math.max(0, this.#restsUntil - performance.now());
  }

  get isFailing(): boolean {
    return this.#refusals >= failure;
  }

  note(accepted: boolean): void {
    if (accepted) {
      this.#width = Math.min(this.#width + 1, widths.most);
      this.#refusals = 0;
      this.#restsUntil = 0;
      return;
    }
    this.#width = Math.max(1, Math.floor(this.#width / 2));
    this.#restsUntil = performance.now() + Math.min(rests.first * 2 ** this.#refusals, rests.longest);
    this.#refusals += 1;
  }

  /** Somebody waits for an attempt: it is made beside those under way, and without a rest. */
  hurry(underWay: number): void {
    this.#width = Math.min(Math.max(this.#width, underWay + 1), widths.most);
    this.#refusals = 0;
    this.#restsUntil = 0;
  }
}
