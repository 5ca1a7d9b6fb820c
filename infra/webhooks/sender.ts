import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Wakeup } from '#infra/eventlog/wakeup.ts';
import { Listener } from '#infra/postgres/listener.ts';
import { keepWorking } from '#infra/webhooks/keepWorking.ts';
import { Lane } from '#infra/webhooks/lane.ts';
import { deliveryChannel } from '#infra/webhooks/outbox.ts';
import { createDeliveryQueue } from '#infra/webhooks/queue.ts';
import type { EndpointName } from '#infra/webhooks/queue.ts';
import type { Logger } from '#ports/logger.ts';
import type { ObservedAttempt, WebhookSending } from '#ports/webhookSending.ts';

export type WebhookSender = {
  start(): void;
  /** Begins no more attempts, and waits for those under way, but not for ever: what is given up is sent again. */
  stop(): Promise<void>;
};

export type WebhookSenderSettings = {
  /** As the owner. */
  pool: pg.Pool;
  connection: pg.ClientConfig;
  sending: WebhookSending;
  logger: Logger;
  /** Before the retries, in milliseconds. */
  delays: readonly number[];
  /** Retries that fall due are looked for this often, in milliseconds; what is new comes by itself. */
  pollInterval?: number;
  /** For attempts under way when it stops, in milliseconds. */
  grace?: number;
  /** Hears of each attempt. */
  observe: (attempt: ObservedAttempt) => void;
  /** Does the next portion of a replay. Answers whether there is more. */
  advance: () => Promise<boolean>;
};

/** Sends deliveries, each endpoint's in a lane of its own. Several processes may do so together. */
export function createWebhookSender(settings: WebhookSenderSettings): WebhookSender {
  return new Sender(settings);
}

class Sender implements WebhookSender {
  readonly #settings: WebhookSenderSettings;
  readonly #listener: Listener;
  readonly #stopped = new AbortController();
  readonly #givenUp = new AbortController();
  readonly #lanes = new Map<string, Lane>();
  readonly #running = new Map<string, Promise<void>>();
  #working: Promise<unknown> = Promise.resolve();
  /** Something was added since: whoever found nothing looks again. */
  #news = 0;
  readonly #wakeup = { look: new Wakeup(), advance: new Wakeup() };

  constructor(settings: WebhookSenderSettings) {
    this.#settings = settings;
    const { connection, logger } = settings;
    const onReconnect = (): void => {
      this.#notice();
    };
    this.#listener = new Listener({ connection, logger, onReconnect });
  }

  start(): void {
    this.#listener.listen(deliveryChannel, () => {
      this.#notice();
    });
    // Apart, because a portion of a replay takes longer than a look.
    this.#working = Promise.all([
      this.#keep('look', () => this.#look()),
      this.#keep('advance', this.#settings.advance),
    ]);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#notice();
    await this.#working;
    const ended = Promise.all(this.#running.values());
    await Promise.race([ended, sleep(this.#settings.grace ?? 3_000, undefined, { ref: false })]);
    this.#givenUp.abort();
    await ended;
    await this.#listener.close();
  }

  #notice(): void {
    this.#news += 1;
    this.#wakeup.look.wake();
    this.#wakeup.advance.wake();
  }

  #keep(what: 'look' | 'advance', work: () => Promise<boolean>): Promise<void> {
    const { pollInterval = 1_000, logger } = this.#settings;
    const wakeup = this.#wakeup[what];
    return keepWorking({ work, wakeup, pollInterval, signal: this.#stopped.signal, logger });
  }

  async #look(): Promise<boolean> {
    const queue = createDeliveryQueue(this.#settings.pool);
    for (const name of await queue.due([...this.#running.keys()])) this.#serve(name);
    return false;
  }

  #serve(name: EndpointName): void {
    const { pool, sending, delays, observe, logger } = this.#settings;
    const { webhookId } = name;
    const queue = createDeliveryQueue(pool);
    const known = this.#lanes.get(webhookId);
    const lane = known ?? new Lane({ queue, sending, delays, observe, signal: this.#givenUp.signal }, name);
    this.#lanes.set(webhookId, lane);
    const running = this.#run(lane)
      .catch((error: unknown) => {
        logger.warn({ err: error, webhook: webhookId }, 'deliveries of a webhook failed and are tried again');
      })
      .finally(() => {
        this.#running.delete(webhookId);
      });
    this.#running.set(webhookId, running);
  }

  async #run(lane: Lane): Promise<void> {
    let seen = this.#news;
    while (!this.#stopped.signal.aborted) {
      seen = this.#news;
      if (!(await lane.serve())) break;
    }
    // What came while this endpoint was served was not looked for.
    if (seen !== this.#news) {
      setImmediate(() => {
        this.#wakeup.look.wake();
      });
    }
  }
}
