/**
 * Lets workers look for a job one after the other, and tells which tenants have their share: two that look at the same
 * time would both find room.
 */
export class Fairness {
  readonly #most: number;
  readonly #busy = new Map<string, number>();
  #turn: Promise<unknown> = Promise.resolve();
  #end: () => void = () => undefined;

  /** @param most jobs of one tenant at a time */
  constructor(most: number) {
    this.#most = most;
  }

  /** Waits for a turn, which lasts until {@link found}. Answers the tenants that are to be left alone. */
  async look(): Promise<string[]> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#turn = promise;
    await before;
    this.#end = () => {
      resolve(undefined);
    };
    return [...this.#busy].filter(([, jobs]) => jobs >= this.#most).map(([tenantId]) => tenantId);
  }

  /** Ends a turn. @param tenantId whose job was found; undefined: none was */
  found(tenantId: string | undefined): void {
    if (tenantId !== undefined) this.#busy.set(tenantId, (this.#busy.get(tenantId) ?? 0) + 1);
    this.#end();
  }

  /** A job of the tenant has ended. */
  done(tenantId: string): void {
    const left = (this.#busy.get(tenantId) ?? 1) - 1;
    if (left === 0) this.#busy.delete(tenantId);
    else this.#busy.set(tenantId, left);
  }
}
