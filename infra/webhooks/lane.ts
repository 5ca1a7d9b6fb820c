import { pause } from '#infra/backoff.ts';
import type { DeliveryQueue, EndpointName, Verdict } from '#infra/webhooks/queue.ts';
import { delayAfter } from '#src/outgoing/schedule.ts';
import type {
  Attempt,
  ClaimedDelivery,
  Endpoint,
  ObservedAttempt,
  WebhookSending,
} from '#ports/webhookSending.ts';

/** Requests at a time to one endpoint: it starts small, grows while all is accepted, and shrinks when it is not. */
const widths = { first: 4, most: 16 };
/** For each request at a time, so many deliveries are taken together. */
const depth = 8;
/**
 * An endpoint that refuses one after the other is tried more and more slowly, until it accepts: what is sent to it for
 * nothing takes time from the others. Milliseconds before an attempt, twice as long with each.
 */
const rests = { first: 5, longest: 1_000 };
/** What was taken and not begun by then is given back, in milliseconds: well before its lease ends. */
const patience = 20_000;
/** Answers by which a receiver says that it is overloaded. */
const overloaded = new Set([429, 502, 503, 504]);

export type LaneSettings = {
  queue: DeliveryQueue;
  sending: WebhookSending;
  /** Before the retries, in milliseconds. */
  delays: readonly number[];
  /** Gives up what is under way. */
  signal: AbortSignal;
  observe: (attempt: ObservedAttempt) => void;
};

/** Sends to one endpoint what is due there. Endpoints share nothing, so that none waits for another. */
export class Lane {
  readonly #settings: LaneSettings;
  readonly #name: EndpointName;
  #width = widths.first;
  /** Attempts since one was accepted. */
  #refusals = 0;
  #endsAt = 0;
  /** What went wrong here, and not at the receiver's. */
  #failure: unknown;

  constructor(settings: LaneSettings, name: EndpointName) {
    this.#settings = settings;
    this.#name = name;
  }

  /** Takes and sends a handful; answers whether there may be more. */
  async serve(): Promise<boolean> {
    const { queue, sending } = this.#settings;
    const { tenantId, webhookId } = this.#name;
    const endpoint = await sending.endpoint(tenantId, webhookId);
    if (endpoint === 'disabled') {
      await queue.giveUp(webhookId, 'disabled');
      return false;
    }
    const claimed = await queue.claim(webhookId, this.#width * depth, this.#width);
    if (claimed.length > 0) await this.#send(endpoint, claimed);
    return claimed.length > 0;
  }

  async #send(endpoint: Endpoint, claimed: readonly ClaimedDelivery[]): Promise<void> {
    this.#endsAt = performance.now() + patience;
    const subjects = [...Map.groupBy(claimed, ({ subject }) => subject).values()];
    const untried: ClaimedDelivery[] = [];
    this.#failure = undefined;
    const recorder = new Recorder(this.#settings, endpoint);
    const work = async (): Promise<void> => {
      for (let next = subjects.shift(); next !== undefined; next = subjects.shift()) {
        for (const delivery of next) {
          await this.#rest();
          const late = Math.max(0, Date.now() - delivery.dueAt.getTime());
          const attempt = this.#mayBegin ? await this.#attempt(endpoint, delivery) : undefined;
          if (attempt === undefined) {
            untried.push(delivery);
            continue;
          }
          const verdict = verdictOn(delivery, attempt, this.#settings.delays);
          recorder.add(verdict);
          this.#settings.observe({ ...verdict, late, replayed: delivery.replayed });
        }
      }
    };
    await Promise.all(Array.from({ length: this.#width }, work));
    await this.#settings.queue.release(untried);
    await recorder.end();
    if (this.#failure !== undefined) throw this.#failure as Error;
  }

  get #mayBegin(): boolean {
    return performance.now() < this.#endsAt && !this.#settings.signal.aborted;
  }

  async #rest(): Promise<void> {
    if (this.#refusals === 0 || !this.#mayBegin) return;
    const rest = rests.first * 2 ** (this.#refusals - 1);
    await pause(Math.min(rest, rests.longest), this.#settings.signal);
  }

  /** Undefined: it was given up, and counts for nothing. */
  async #attempt(endpoint: Endpoint, delivery: ClaimedDelivery): Promise<Attempt | undefined> {
    const { sending, signal } = this.#settings;
    let attempt: Attempt;
    try {
      attempt = await sending.attempt(endpoint, delivery, signal);
    } catch (error) {
      if (!signal.aborted) {
        this.#failure = error;
        this.#endsAt = 0;
      }
      return undefined;
    }
    this.#width = attempt.accepted
      ? Math.min(this.#width + 1, widths.most)
      : Math.max(1, Math.floor(this.#width / 2));
    this.#refusals = attempt.accepted ? 0 : this.#refusals + 1;
    // Nothing more is wanted, now or ever.
    if (attempt.status === 410 || pauseAfter(attempt) > 0) this.#endsAt = 0;
    return attempt;
  }
}

const pauseAfter = ({ status = 0, retryAfter = 0 }: Attempt): number =>
  overloaded.has(status) ? retryAfter : 0;

function verdictOn(delivery: ClaimedDelivery, attempt: Attempt, delays: readonly number[]): Verdict {
  const { accepted, outcome, status: responseStatus, milliseconds } = attempt;
  const delay = delayAfter(attempt, delivery.attempts, delays);
  const facts = { delivery, outcome, responseStatus, milliseconds, pause: pauseAfter(attempt) };
  if (accepted) return { ...facts, status: 'delivered', delay: 0 };
  if (delay === undefined) return { ...facts, status: 'failed', delay: 0 };
  return { ...facts, status: 'pending', delay };
}

/** Writes down what has ended while the rest goes on: many verdicts share a statement. */
class Recorder {
  readonly #settings: LaneSettings;
  readonly #endpoint: Endpoint;
  readonly #failingFor: number;
  #waiting: Verdict[] = [];
  #writing: Promise<void> | undefined;
  #failure: unknown;

  constructor(settings: LaneSettings, endpoint: Endpoint) {
    this.#settings = settings;
    this.#endpoint = endpoint;
    this.#failingFor = settings.delays.reduce((sum, delay) => sum + delay, 0);
  }

  add(verdict: Verdict): void {
    this.#waiting.push(verdict);
    this.#writing ??= this.#write().catch((error: unknown) => {
      this.#failure = error;
    });
  }

  /** @throws what kept verdicts from being written: their leases end, and they are sent again */
  async end(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure as Error;
  }

  async #write(): Promise<void> {
    const { queue, sending } = this.#settings;
    while (this.#waiting.length > 0) {
      const verdicts = this.#waiting;
      this.#waiting = [];
      const failing = await queue.record(this.#endpoint.webhookId, verdicts);
      if (verdicts.some(({ responseStatus }) => responseStatus === 410)) {
        await sending.disable(this.#endpoint, 'gone');
      } else if (failing >= this.#failingFor && verdicts.some(({ status }) => status !== 'delivered')) {
        await sending.disable(this.#endpoint, 'failing');
      }
    }
    this.#writing = undefined;
  }
}
