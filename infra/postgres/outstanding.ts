import type { Position } from '#ports/eventLog.ts';

/** What someone waits for, or waited for in vain. */
export type Outstanding = {
  position: Position;
  /** On the clock of `performance.now()`. */
  since: number;
  onApplied(): void;
};

/** Positions that are not applied yet, the lowest first. */
export class OutstandingPositions {
  readonly #compare: (a: Position, b: Position) => number;
  #entries: Outstanding[] = [];

  constructor(compare: (a: Position, b: Position) => number) {
    this.#compare = compare;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  get first(): Outstanding | undefined {
    return this.#entries[0];
  }

  add(entry: Outstanding): void {
    // Positions arrive almost in order, so the place is found near the end.
    let index = this.#entries.length;
    while (index > 0 && this.#isBehind(entry, this.#entries[index - 1])) index -= 1;
    this.#entries.splice(index, 0, entry);
  }

  /** Takes out, and tells, everything up to a position. */
  settleUpTo(applied: Position): void {
    const left = this.#entries.findIndex(({ position }) => this.#compare(position, applied) > 0);
    const settled = this.#entries.splice(0, left === -1 ? this.#entries.length : left);
    for (const entry of settled) entry.onApplied();
  }

  #isBehind(entry: Outstanding, other: Outstanding | undefined): boolean {
    return other !== undefined && this.#compare(entry.position, other.position) < 0;
  }
}
