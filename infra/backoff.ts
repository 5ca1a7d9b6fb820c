import { setTimeout as delay } from 'node:timers/promises';

/** Growing pauses between attempts, spread at random so that many clients do not come back at once. */
export class Backoff {
  readonly #first: number;
  readonly #longest: number;
  #next: number;

  /** Both in milliseconds. */
  constructor(first: number, longest: number) {
    this.#first = first;
    this.#longest = longest;
    this.#next = first;
  }

  /** Waits: from half of the current pause to the whole of it. Returns early when the signal aborts. */
  async pause(signal?: AbortSignal): Promise<void> {
    const milliseconds = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(this.#next * 2, this.#longest);
    await pause(milliseconds, signal);
  }

  /** After a success: the next pause is the shortest again. */
  reset(): void {
    this.#next = this.#first;
  }
}

/** Waits, or returns early when the signal aborts; never rejects. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
