import pg from 'pg';
import { Backoff, pause } from '#infra/backoff.ts';
import { loadCheckpoint, saveCheckpoint, saveFailure } from '#infra/subscriptions/checkpoint.ts';
import { EventFailed, portionsOf } from '#infra/subscriptions/portions.ts';
import { readSkipped } from '#infra/subscriptions/skip.ts';
import { refuseUnreadable } from '#ports/eventLog.ts';
import type { EventLog, RecordedEvent } from '#ports/eventLog.ts';
import { lastEventIn } from '#src/lastEvent.ts';
import type { Logger } from '#ports/logger.ts';
import type { Subscriber, TransactionalSubscriber } from '#ports/subscriber.ts';

/** A page without events moves a checkpoint this often at most, in milliseconds. */
const quietInterval = 5_000;
/** A process without the lock asks for it this often, in milliseconds. */
const lockInterval = 1_000;
/** The first key of the advisory locks; the second is the subscriber's. */
const lockClass = 4_650_120;

export type SubscriptionRunner = { start(): void; stop(): Promise<void> };

export type AnySubscriber = Subscriber | TransactionalSubscriber<pg.ClientBase>;

export type SubscriptionRunnerOptions = {
  log: EventLog;
  connection: pg.ClientConfig;
  subscribers: readonly AnySubscriber[];
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
  subscriber: AnySubscriber,
  stopped: AbortSignal,
): Promise<void> {
  const backoff = new Backoff(100, 10_000);
  const progressed = (): void => {
    backoff.reset();
  };
  let hasFailed = false;
  while (!stopped.aborted) {
    try {
      await run(options, subscriber, { stopped, progressed, hasFailed });
    } catch (error) {
      if (stopped.aborted) return;
      hasFailed = true;
      report(options.logger, subscriber, error);
      await backoff.pause(stopped);
    }
  }
}

function report(logger: Logger, { name: subscriber }: AnySubscriber, error: unknown): void {
  if (!(error instanceof EventFailed)) {
    logger.warn({ err: error, subscriber }, 'a subscriber failed and is tried again');
    return;
  }
  const { id: event, type, position } = error.event;
  logger.warn(
    { err: error.cause, subscriber, event, type, position },
    'a subscriber is blocked by an event that it cannot handle, and tries it again',
  );
}

type Course = {
  stopped: AbortSignal;
  progressed: () => void;
  /** Whether the run before failed. */
  hasFailed: boolean;
};

async function run(
  { log, connection }: SubscriptionRunnerOptions,
  subscriber: AnySubscriber,
  { stopped, progressed, hasFailed }: Course,
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
    try {
      let position = await loadCheckpoint(client, log, subscriber);
      let savedAt = performance.now();
      // Whoever failed finds out at which event, and an operator can leave that one out.
      let oneByOne = hasFailed;
      const skipped = await readSkipped(client, subscriber.name);
      for await (const page of log.subscribe(position, subscriber.types, signal)) {
        const quiet = page.events.length === 0 && performance.now() - savedAt < quietInterval;
        if (quiet || page.scanned === position) continue;
        for (const { events, upTo } of portionsOf(page, { skipped, oneByOne })) {
          const from = position;
          await together(client, subscriber, async (handle) => {
            await (oneByOne ? handleEach(handle, events) : events.length > 0 && handle(events));
            await saveCheckpoint(client, subscriber.name, from, upTo, lastEventIn({ events }));
          });
          position = upTo;
          savedAt = performance.now();
          progressed();
        }
        oneByOne &&= page.events.length === 0;
      }
    } catch (error) {
      if (!signal.aborted) await saveFailure(client, subscriber.name, causeOf(error)).catch(() => undefined);
      throw error;
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

type Handle = (events: readonly RecordedEvent[]) => Promise<void>;

/** Does what handles events and moves the checkpoint, in one transaction where the subscriber wants that. */
async function together(
  client: pg.Client,
  subscriber: AnySubscriber,
  work: (handle: Handle) => Promise<void>,
): Promise<void> {
  if ('handle' in subscriber) {
    await work(async (events) => {
      events.forEach(refuseUnreadable);
      await subscriber.handle(events);
    });
    return;
  }
  await client.query('begin');
  try {
    await work(async (events) => {
      events.forEach(refuseUnreadable);
      await subscriber.handleWithin(client, events);
    });
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function handleEach(handle: Handle, events: readonly RecordedEvent[]): Promise<void> {
  for (const event of events) {
    await handle([event]).catch((cause: unknown) => {
      throw new EventFailed(event, cause);
    });
  }
}

const causeOf = (error: unknown) =>
  error instanceof EventFailed ? { error: error.cause, event: error.event } : { error, event: undefined };

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
