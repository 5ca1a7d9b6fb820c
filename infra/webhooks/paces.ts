import { Pace } from '#infra/webhooks/pace.ts';

/** An endpoint that nothing was sent to for so long may fare otherwise by now, or be gone; in milliseconds. */
const keptFor = 10 * 60_000;

/** How endpoints fared that were served of late. */
export class Paces {
  readonly #now: () => number;
  /** Those that were served last are at the end. */
  readonly #paces = new Map<string, { pace: Pace; at: number }>();

  /** @param now in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get size(): number {
    return this.#paces.size;
  }

  /** For an endpoint that is about to be served. */
  take(webhookId: string): Pace {
    const at = this.#now();
    const pace = this.#paces.get(webhookId)?.pace ?? new Pace();
    this.#paces.delete(webhookId);
    this.#paces.set(webhookId, { pace, at });
    for (const [id, known] of this.#paces) {
      if (known.at > at - keptFor) break;
      this.#paces.delete(id);
    }
    return pace;
  }

  forget(webhookId: string): void {
    this.#paces.delete(webhookId);
  }
}
