/** The process ended here. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

/** Counts what a process does to the outside, and ends it before or after one of these steps. */
export class Steps {
  readonly #crashAt: number;
  #boundaries = 0;
  #isDead = false;

  /** @param crashAt a boundary, from 1; Infinity: none */
  constructor(crashAt: number) {
    this.#crashAt = crashAt;
  }

  /** How many boundaries were come to. */
  get boundaries(): number {
    return this.#boundaries;
  }

  /** Calls of these members are steps. */
  guard<Target extends object>(target: Target, members: readonly (keyof Target)[]): Target {
    return new Proxy(target, {
      get: (it, name) => {
        const member: unknown = Reflect.get(it, name, it);
        if (typeof member !== 'function') return member;
        const call = (...parameters: unknown[]): unknown => Reflect.apply(member, it, parameters);
        if (!members.includes(name as keyof Target)) return call;
        return async (...parameters: unknown[]) => {
          this.#boundary();
          const answer: unknown = await call(...parameters);
          this.#boundary();
          return answer;
        };
      },
    });
  }

  #boundary(): void {
    this.#boundaries += 1;
    if (this.#boundaries === this.#crashAt) this.#isDead = true;
    if (this.#isDead) throw new Crash();
  }
}
