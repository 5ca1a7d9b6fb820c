import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Wakeup } from '#infra/eventlog/wakeup.ts';
import { Listener } from '#infra/postgres/listener.ts';
import { keepWorking } from '#infra/webhooks/keepWorking.ts';
import { Lane } from '#infra/webhooks/lane.ts';
import { endpointLease } from '#infra/webhooks/claim.ts';
import type { ServedEndpoint } from '#infra/webhooks/claim.ts';
import { deliveryChannel } from '#infra/webhooks/outbox.ts';
import { Paces } from '#infra/webhooks/paces.ts';
import { createDeliveryQueue } from '#infra/webhooks/queue.ts';
import type { DeliveryQueue } from '#infra/webhooks/queue.ts';
import { randomId } from '#src/identifiers.ts';
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
  readonly #queue: DeliveryQueue;
  readonly #paces = new Paces();
  readonly #running = new Map<string, { lane: Lane; ended: Promise<void> }>();
  #working: Promise<unknown> = Promise.resolve();
  readonly #wakeup = { look: new Wakeup(), advance: new Wakeup(), renew: new Wakeup() };

  constructor(settings: WebhookSenderSettings) {
    this.#settings = settings;
    const { connection, logger, pool } = settings;
    this.#queue = createDeliveryQueue(pool, randomId());
    const onReconnect = (): void => {
      this.#notice();
    };
    this.#listener = new Listener({ connection, logger, onReconnect });
  }

  start(): void {
    this.#listener.listen(deliveryChannel, (webhookId) => {
      if (webhookId !== '') this.#hurry(webhookId);
      this.#notice();
    });
    // Apart, because a portion of a replay takes longer than a look.
    this.#working = Promise.all([
      this.#keep('look', () => this.#look()),
      this.#keep('advance', this.#settings.advance),
      this.#keep('renew', () => this.#renew(), endpointLease / 3),
    ]);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#notice();
    this.#wakeup.renew.wake();
    await this.#working;
    for (const { lane } of this.#running.values()) lane.stop();
    const ended = Promise.all([...this.#running.values()].map((running) => running.ended));
    await Promise.race([ended, sleep(this.#settings.grace ?? 3_000, undefined, { ref: false })]);
    this.#givenUp.abort();
    await ended;
    await this.#listener.close();
  }

  #hurry(webhookId: string): void {
    const running = this.#running.get(webhookId);
    if (running === undefined) this.#paces.forget(webhookId);
    else running.lane.hurry();
  }

  #notice(): void {
    this.#wakeup.look.wake();
    this.#wakeup.advance.wake();
  }

  #keep(
    what: 'look' | 'advance' | 'renew',
    work: () => Promise<boolean>,
    pollInterval = this.#settings.pollInterval ?? 1_000,
  ): Promise<void> {
    const { logger } = this.#settings;
    const wakeup = this.#wakeup[what];
    return keepWorking({ work, wakeup, pollInterval, signal: this.#stopped.signal, logger });
  }

  async #renew(): Promise<boolean> {
    const at = performance.now();
    for (const webhookId of await this.#queue.renew([...this.#running.keys()])) {
      this.#running.get(webhookId)?.lane.renewed(at);
    }
    return false;
  }

  async #look(): Promise<boolean> {
    const looking = [...this.#running]
      .filter(([, { lane }]) => lane.isBehind)
      .map(([webhookId]) => webhookId);
    for (const served of await this.#queue.due(looking)) {
      const running = this.#running.get(served.webhookId);
      if (running === undefined) this.#serve(served);
      else running.lane.wake(served);
    }
    return false;
  }

  #serve(served: ServedEndpoint): void {
    const { logger } = this.#settings;
    const { webhookId } = served;
    const lane = new Lane(
      {
        ...this.#settings,
        queue: this.#queue,
        stopped: this.#stopped.signal,
        signal: this.#givenUp.signal,
        pace: this.#paces.take(webhookId),
      },
      served,
    );
    const ended = lane
      .serve()
      .catch((error: unknown) => {
        logger.warn({ err: error, webhook: webhookId }, 'deliveries of a webhook failed and are tried again');
        return true;
      })
      .then((hasFailed) => {
        this.#running.delete(webhookId);
        if (lane.isBehind && hasFailed !== true) this.#wakeup.look.wake();
      });
    this.#running.set(webhookId, { lane, ended });
  }
}
