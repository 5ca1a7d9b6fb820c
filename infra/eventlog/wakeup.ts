/** Lets one loop wait until something happened; what happens while it does not wait is not forgotten. */
export class Wakeup {
  #happened = false;
  #waiting: (() => void) | undefined;

  wake(): void {
    this.#happened = true;
    this.#waiting?.();
  }

  /** Resolves to true as soon as something happened, to false after so many milliseconds without. */
  async wait(milliseconds: number): Promise<boolean> {
    if (!this.#happened) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#waiting = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#waiting = undefined;
    }
    const happened = this.#happened;
    this.#happened = false;
    return happened;
  }
}
