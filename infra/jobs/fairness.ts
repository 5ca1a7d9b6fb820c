type Shares = {
  /** Jobs at a time. */
  concurrency: number;
  /** Of these, of one tenant. */
  concurrencyOfTenant: number;
};

/**
 * Lets workers look for a job one after the other, and tells which tenants have their share: two that look at the same
 * time would both find room. None may have more places than are left free: however many tenants have jobs that take
 * their time, another one finds a place.
 */
export class Fairness {
  readonly #shares: Shares;
  readonly #busy = new Map<string, number>();
  #turn: Promise<unknown> = Promise.resolve();
  #end: () => void = () => undefined;

  constructor(shares: Shares) {
    this.#shares = shares;
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
    const share = this.#share();
    return [...this.#busy].filter(([, jobs]) => jobs >= share).map(([tenantId]) => tenantId);
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

  #share(): number {
    const { concurrency, concurrencyOfTenant } = this.#shares;
    const free = concurrency - this.#busy.values().reduce((sum, jobs) => sum + jobs, 0);
    return Math.min(concurrencyOfTenant, Math.max(1, free));
  }
}
