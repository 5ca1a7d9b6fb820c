import type { ClaimedDelivery } from '#ports/webhookSending.ts';

/** What was taken and not begun by then is given back, in milliseconds: well before its lease ends. */
const patience = 20_000;

type Entry = { delivery: ClaimedDelivery; staleAt: number };

/** What a lane has taken and not begun, and the subjects that it is sending of, each of which is sent of once at a time. */
export class Taken {
  #entries: Entry[] = [];
  readonly #busy = new Set<string>();

  get size(): number {
    return this.#entries.length;
  }

  get mayBegin(): boolean {
    return this.#entries.some(({ delivery }) => !this.#busy.has(delivery.subject));
  }

  /** It has to be given back: all of it, so that nothing is sent before what was taken before it. */
  get isStale(): boolean {
    const [first] = this.#entries;
    return first !== undefined && performance.now() >= first.staleAt;
  }

  add(deliveries: readonly ClaimedDelivery[]): void {
    const staleAt = performance.now() + patience;
    this.#entries.push(...deliveries.map((delivery) => ({ delivery, staleAt })));
  }

  /** The first of a subject of which nothing is being sent. */
  begin(): ClaimedDelivery | undefined {
    const index = this.#entries.findIndex(({ delivery }) => !this.#busy.has(delivery.subject));
    if (index < 0) return undefined;
    const [entry] = this.#entries.splice(index, 1);
    if (entry !== undefined) this.#busy.add(entry.delivery.subject);
    return entry?.delivery;
  }

  end({ subject }: ClaimedDelivery): void {
    this.#busy.delete(subject);
  }

  expire(): void {
    for (const entry of this.#entries) entry.staleAt = 0;
  }

  /** Takes out what was not begun. */
  empty(): ClaimedDelivery[] {
    const deliveries = this.#entries.map(({ delivery }) => delivery);
    this.#entries = [];
    return deliveries;
  }
}
