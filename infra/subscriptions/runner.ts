import pg from 'pg';
import { Backoff, pause } from '#infra/backoff.ts';
import { loadCheckpoint, saveCheckpoint, saveFailure } from '#infra/subscriptions/checkpoint.ts';
import type { EventLog } from '#ports/eventLog.ts';
import type { Logger } from '#ports/logger.ts';
import type { Subscriber } from '#ports/subscriber.ts';

/** A page without events moves a checkpoint this often at most, in milliseconds. */
const quietInterval = 5_000;
/** A process without the lock asks for it this often, in milliseconds. */
const lockInterval = 1_000;
/** The first key of the advisory locks; the second is the subscriber's. */
const lockClass = 4_650_120;

export type SubscriptionRunner = { start(): void; stop(): Promise<void> };

export type SubscriptionRunnerOptions = {
  log: EventLog;
  connection: pg.ClientConfig;
  subscribers: readonly Subscriber[];
  logger: Logger;
};

/** Feeds subscribers from the log, each in one process at a time, each from its own checkpoint. */
export function createSubscriptionRunner(options: SubscriptionRunnerOptions): SubscriptionRunner {
  const stopped = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  return {
    start: () => {
      running = Promise.all(
        options.subscribers.map((subscriber) => keepRunning(options, subscriber, stopped.signal)),
      );
    },
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

async function keepRunning(
  options: SubscriptionRunnerOptions,
  subscriber: Subscriber,
  stopped: AbortSignal,
): Promise<void> {
  const backoff = new Backoff(100, 10_000);
  while (!stopped.aborted) {
    try {
      await run(options, subscriber, stopped, () => {
        backoff.reset();
      });
    } catch (error) {
      if (stopped.aborted) return;
      options.logger.warn(
        { err: error, subscriber: subscriber.name },
        'a subscriber failed and is tried again',
      );
      await backoff.pause(stopped);
    }
  }
}

async function run(
  { log, connection }: SubscriptionRunnerOptions,
  subscriber: Subscriber,
  stopped: AbortSignal,
  progressed: () => void,
): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([stopped, lost.signal]);
  const client = new pg.Client({
    ...connection,
    keepAlive: true,
    application_name: `holdfast subscriber ${subscriber.name}`,
  });
  client.on('error', () => {
    lost.abort();
  });
  try {
    await client.connect();
    if (!(await acquire(client, subscriber.name, signal))) return;
    let position = await loadCheckpoint(client, log, subscriber);
    let savedAt = performance.now();
    try {
      for await (const page of log.subscribe(position, subscriber.types, signal)) {
        const quiet = page.events.length === 0 && performance.now() - savedAt < quietInterval;
        if (quiet || page.scanned === position) continue;
        if (page.events.length > 0) await subscriber.handle(page.events);
        await saveCheckpoint(client, subscriber.name, position, page.scanned);
        position = page.scanned;
        savedAt = performance.now();
        progressed();
      }
    } catch (error) {
      if (!signal.aborted) await saveFailure(client, subscriber.name, error).catch(() => undefined);
      throw error;
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Waits for the subscriber's lock; false when the signal aborted first. */
async function acquire(client: pg.Client, name: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const asked = await client.query<{ held: boolean }>({
      text: 'select pg_try_advisory_lock($1, hashtext($2)) as held',
      values: [lockClass, name],
    });
    if (asked.rows[0]?.held === true) return true;
    await pause(lockInterval, signal);
  }
  return false;
}
