import { Backoff } from '#infra/backoff.ts';
import { isRefusedForNow } from '#infra/postgres/failure.ts';
import type { DeliveryQueue } from '#infra/webhooks/queue.ts';
import type { Failing, Verdict } from '#infra/webhooks/record.ts';
import type { Endpoint, WebhookSending } from '#ports/webhookSending.ts';

/** What the database refuses for now is written so often. */
const mostTries = 6;

export type RecorderSettings = {
  queue: Pick<DeliveryQueue, 'record'>;
  sending: Pick<WebhookSending, 'disable'>;
  /** Before the retries, in milliseconds: an endpoint that accepts nothing for as long as all of them is disabled. */
  delays: readonly number[];
  /** Hears that verdicts cannot be written: their leases end, and they are sent again. */
  onFailure: (error: unknown) => void;
};

/** Writes down what has ended while the rest goes on: many verdicts share a statement. */
export class Recorder {
  readonly #settings: RecorderSettings;
  readonly #failingFor: number;
  #waiting: { endpoint: Endpoint; verdict: Verdict }[] = [];
  #writing: Promise<void> | undefined;
  #hasDisabled = false;

  constructor(settings: RecorderSettings) {
    this.#settings = settings;
    this.#failingFor = settings.delays.reduce((sum, delay) => sum + delay, 0);
  }

  /** The webhook was taken out of service. */
  get hasDisabled(): boolean {
    return this.#hasDisabled;
  }

  add(endpoint: Endpoint, verdict: Verdict): void {
    this.#waiting.push({ endpoint, verdict });
    this.#writing ??= this.#write()
      .catch(this.#settings.onFailure)
      .finally(() => {
        this.#writing = undefined;
      });
  }

  /** Resolves when all is written that was added, or cannot be. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    for (let all = this.#waiting; all.length > 0; all = this.#waiting) {
      this.#waiting = [];
      const verdicts = all.map(({ verdict }) => verdict);
      const endpoint = all.at(-1)?.endpoint;
      if (endpoint === undefined) return;
      const failing = await this.#record(endpoint, verdicts);
      const reason = this.#reasonToDisable(verdicts, failing);
      if (reason === undefined) continue;
      await this.#settings.sending.disable(endpoint, reason);
      this.#hasDisabled = true;
    }
  }

  async #record({ webhookId }: Endpoint, verdicts: readonly Verdict[]): Promise<Failing> {
    const backoff = new Backoff(10, 1_000);
    for (let tries = 1; ; tries++) {
      try {
        return await this.#settings.queue.record(webhookId, verdicts);
      } catch (error) {
        if (tries === mostTries || !isRefusedForNow(error)) throw error;
        await backoff.pause();
      }
    }
  }

  /** Time in which this service was down is not held against a receiver: it has to have been tried. */
  #reasonToDisable(verdicts: readonly Verdict[], { since, seen }: Failing): 'gone' | 'failing' | undefined {
    if (verdicts.some(({ responseStatus }) => responseStatus === 410)) return 'gone';
    if (verdicts.every(({ status }) => status === 'delivered')) return undefined;
    const isUsedUp = verdicts.some(({ status }) => status === 'failed');
    return seen >= this.#failingFor || (isUsedUp && since >= this.#failingFor) ? 'failing' : undefined;
  }
}
