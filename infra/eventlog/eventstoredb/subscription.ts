import { Backoff } from '#infra/backoff.ts';
import type { Connection } from '#infra/eventlog/eventstoredb/connection.ts';
import { readFailure, reasonOf } from '#infra/eventlog/eventstoredb/failure.ts';
import { LiveSubscription } from '#infra/eventlog/eventstoredb/liveSubscription.ts';
import { comparePositions, formatPosition, laterPosition } from '#infra/eventlog/eventstoredb/positions.ts';
import { lastRecordAt, readAll, startOf } from '#infra/eventlog/eventstoredb/reader.ts';
import { domainEvents } from '#infra/eventlog/eventstoredb/recordedEvent.ts';
import { Wakeup } from '#infra/eventlog/wakeup.ts';
import { LogRefused, LogUnavailable } from '#ports/eventLog.ts';
import type { LogPage, Position } from '#ports/eventLog.ts';
import type { Logger } from '#ports/logger.ts';

export type Subscription = {
  connection: Connection;
  after: Position | null;
  /**
   * Applied here, not on the server, so that `scanned` moves with every event of the domain: whoever waits for
   * the position of an event that nobody wanted would wait for the next checkpoint otherwise.
   */
  types: readonly string[] | undefined;
  signal: AbortSignal;
  /** After so much silence the log itself is looked at, in milliseconds. */
  watchdog: number;
  logger: Logger | undefined;
};

/** Looks come soon after catching up, until the end is seen: they move `scanned` past what the server does not send. */
const firstLookAfter = 100;
const recordsLookedAt = 500;
/** What the log holds and the subscription did not bring is missing after so many milliseconds. */
const grace = 1_000;

/** Whoever reads is told when the subscription has failed for so long without a page, in milliseconds; of refusals at once. */
const patience = 15_000;
const tooSlow = /Consumer too slow/;

/**
 * Subscribes, and again from the last page that was taken whenever the subscription fails.
 * @throws LogUnavailable when it fails again and again
 */
export async function* subscribe(subscription: Subscription): AsyncGenerator<LogPage, void, undefined> {
  const { after, signal, logger } = subscription;
  const backoff = new Backoff(100, 2_000);
  let scanned = after;
  let failingSince: number | undefined;
  while (!signal.aborted) {
    try {
      for await (const page of livePages(subscription, scanned)) {
        backoff.reset();
        failingSince = undefined;
        yield page;
        scanned = page.scanned;
      }
    } catch (error) {
      failingSince ??= performance.now();
      const failure = readFailure(error);
      const given = failure instanceof LogRefused ? 0 : patience;
      if (!signal.aborted && performance.now() - failingSince >= given) throw stuck(failure, scanned);
      report(logger, error);
      await backoff.pause(signal);
    }
  }
}

function stuck(failure: unknown, scanned: Position | null): Error {
  if (failure instanceof LogRefused) return failure;
  const from = scanned === null ? 'its beginning' : `the position ${scanned}`;
  return new LogUnavailable(`the event log cannot be followed from ${from}: ${reasonOf(failure)}`, {
    cause: failure,
  });
}

/** Servers end every subscription that a burst of events comes too fast for. */
function report(logger: Logger | undefined, error: unknown): void {
  if (tooSlow.test(reasonOf(error))) {
    logger?.info(
      { reason: reasonOf(error) },
      'a burst ended the subscription to the event log, which goes on',
    );
    return;
  }
  logger?.warn({ err: error }, 'the subscription to the event log failed and is opened again');
}

async function* livePages(
  { connection, types, signal, watchdog }: Subscription,
  saved: Position | null,
): AsyncGenerator<LogPage, void, undefined> {
  const after = await startOf(connection, saved);
  const wakeup = new Wakeup();
  const wake = () => {
    wakeup.wake();
  };
  signal.addEventListener('abort', wake);
  const live = new LiveSubscription(connection, after, wakeup);
  let scanned = after;
  let atHead = false;
  let atEnd = false;
  try {
    while (!signal.aborted) {
      const taken = live.take();
      const looked = taken.before === null ? null : await lastRecordAt(connection, taken.before);
      const reached = laterPosition(laterPosition(scanned, taken.scanned), looked);
      if (reached !== scanned || taken.caughtUp !== atHead) {
        const records = taken.records.filter(
          ({ position }) => scanned === null || comparePositions(formatPosition(position), scanned) > 0,
        );
        scanned = reached;
        atHead = taken.caughtUp;
        yield { events: domainEvents(records, connection.names, types), scanned, atHead };
        continue;
      }
      const silence = atHead && !atEnd ? firstLookAfter : watchdog;
      if (await wakeup.wait(silence)) continue;
      const page = await readAll(connection, scanned, recordsLookedAt);
      if (page.events.length > 0) {
        // What was appended only just now may still be on its way.
        if (await wakeup.wait(grace)) continue;
        throw new Error('the subscription to the event log went silent');
      }
      atEnd = page.atHead;
      if (page.scanned === scanned) continue;
      scanned = page.scanned;
      yield { events: [], scanned, atHead };
    }
  } finally {
    signal.removeEventListener('abort', wake);
    live.close();
  }
}
