import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Backoff } from '#infra/backoff.ts';
import { Listener } from '#infra/postgres/listener.ts';
import { Lane } from '#infra/webhooks/lane.ts';
import { deliveryChannel } from '#infra/webhooks/outbox.ts';
import { createDeliveryQueue } from '#infra/webhooks/queue.ts';
import type { EndpointName } from '#infra/webhooks/queue.ts';
import type { Logger } from '#ports/logger.ts';
import type { WebhookSending } from '#ports/webhookSending.ts';

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
  /** Goes with each look: work that is done in portions. Answers whether there is more. */
  advance?: () => Promise<boolean>;
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
  #looking: Promise<void> = Promise.resolve();
  /** Something was added since: whoever found nothing looks again. */
  #news = 0;
  #wake = Promise.withResolvers<undefined>();

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
    this.#looking = this.#keepLooking();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#notice();
    await this.#looking;
    const ended = Promise.all(this.#running.values());
    await Promise.race([ended, sleep(this.#settings.grace ?? 3_000, undefined, { ref: false })]);
    this.#givenUp.abort();
    await ended;
    await this.#listener.close();
  }

  #notice(): void {
    this.#news += 1;
    this.#wake.resolve(undefined);
  }

  async #keepLooking(): Promise<void> {
    const backoff = new Backoff(100, 5_000);
    const { pollInterval = 1_000, logger, pool, advance } = this.#settings;
    const queue = createDeliveryQueue(pool);
    while (!this.#stopped.signal.aborted) {
      this.#wake = Promise.withResolvers();
      try {
        const more = await advance?.();
        for (const name of await queue.due([...this.#running.keys()])) this.#serve(name);
        if (more === true) this.#notice();
        backoff.reset();
      } catch (error) {
        logger.warn({ err: error }, 'webhooks could not be looked after, and are in a moment');
        await backoff.pause(this.#stopped.signal);
      }
      const waited = new AbortController();
      await Promise.race([
        this.#wake.promise,
        sleep(pollInterval, undefined, { signal: waited.signal }).catch(() => undefined),
      ]);
      waited.abort();
    }
  }

  #serve(name: EndpointName): void {
    const { pool, sending, delays, logger } = this.#settings;
    const { webhookId } = name;
    const queue = createDeliveryQueue(pool);
    const known = this.#lanes.get(webhookId);
    const lane = known ?? new Lane({ queue, sending, delays, signal: this.#givenUp.signal }, name);
    if (lane.isPaused) return;
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
    while (!lane.isPaused && !this.#stopped.signal.aborted) {
      seen = this.#news;
      if (!(await lane.serve())) break;
    }
    // What came while this endpoint was served was not looked for.
    if (seen !== this.#news) {
      setImmediate(() => {
        this.#wake.resolve(undefined);
      });
    }
  }
}
