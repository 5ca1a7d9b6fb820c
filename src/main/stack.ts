/** Things to stop, in the opposite order of how they were started. */
export class Stack {
  readonly #parts: (() => Promise<void>)[] = [];
  #stopped: Promise<void> | undefined;

  add(stop: () => Promise<void>): void {
    this.#parts.push(stop);
  }

  get isStopping(): boolean {
    return this.#stopped !== undefined;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) await part();
  }
}
