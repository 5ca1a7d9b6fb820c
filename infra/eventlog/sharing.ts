import { Backoff } from '#infra/backoff.ts';
import { SharedSubscription } from '#infra/eventlog/sharedSubscription.ts';
import type { Follower } from '#infra/eventlog/sharedSubscription.ts';
import { LogRefused, LogUnavailable } from '#ports/eventLog.ts';
import type { EventLog, LogPage, Position } from '#ports/eventLog.ts';
import type { Logger } from '#ports/logger.ts';

const pageSize = 500;
/** Whoever follows is told of an outage that takes longer, in milliseconds, and says so where it is looked for. */
const patience = 5_000;

/**
 * A log to which a process subscribes once, whoever follows it there: each event is sent once. Whoever is behind reads
 * pages of its own until it has come to what the others get.
 */
export function sharing(log: EventLog, logger?: Logger): EventLog {
  const shared = new SharedSubscription(log, logger);
  return {
    atomicAcrossStreams: log.atomicAcrossStreams,
    mayLag: log.mayLag,
    append: (stream, expected, events) => log.append(stream, expected, events),
    appendAll: (appends) => log.appendAll(appends),
    readStream: (stream, from) => log.readStream(stream, from),
    readStreamEnd: (stream, limit) => log.readStreamEnd(stream, limit),
    readAll: (after, limit, types) => log.readAll(after, limit, types),
    subscribe: (after, types, signal) => subscribe({ log, shared, logger }, after, types, signal),
    head: () => log.head(),
    logId: () => log.logId(),
    owner: () => log.owner(),
    giveTo: (owner, instead) => log.giveTo(owner, instead),
    lastRecordAt: (position) => log.lastRecordAt(position),
    comparePositions: (a, b) => log.comparePositions(a, b),
    close: () => log.close(),
  };
}

type Sources = { log: EventLog; shared: SharedSubscription; logger: Logger | undefined };

async function* subscribe(
  { log, shared, logger }: Sources,
  after: Position | null,
  types: readonly string[] | undefined,
  signal: AbortSignal,
): AsyncGenerator<LogPage, void, undefined> {
  const backoff = new Backoff(50, 1_000);
  let scanned = after;
  let isFirst = true;
  let follower: Follower | undefined;
  let failingSince: number | undefined;
  const close = (): void => {
    follower?.close();
  };
  signal.addEventListener('abort', close);
  try {
    while (!signal.aborted) {
      const page = await log.readAll(scanned, pageSize, types).catch((error: unknown) => {
        failingSince ??= performance.now();
        const isPassing = error instanceof LogUnavailable && !(error instanceof LogRefused);
        if (!isPassing || performance.now() - failingSince > patience) throw error;
        logger?.warn({ err: error }, 'reading the event log failed and is tried again');
      });
      if (signal.aborted) return;
      if (page === undefined) {
        await backoff.pause(signal);
        continue;
      }
      failingSince = undefined;
      if (isFirst || page.scanned !== scanned) yield page;
      isFirst = false;
      scanned = page.scanned;
      if (!page.atHead) continue;
      if (follower === undefined) {
        follower = shared.follow(scanned);
        if (isBefore(log, scanned, follower.start)) continue;
      } else if (isBefore(log, scanned, follower.start)) {
        // What was read from is behind what others were given.
        await backoff.pause(signal);
        continue;
      }
      for await (const next of followed(log, follower, scanned, types)) {
        backoff.reset();
        yield next;
        scanned = next.scanned;
      }
      follower.close();
      follower = undefined;
      if (!signal.aborted) await backoff.pause(signal);
    }
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

/** What comes from the shared subscription behind a position, of the wanted types. */
async function* followed(
  log: EventLog,
  follower: Follower,
  from: Position | null,
  types: readonly string[] | undefined,
): AsyncGenerator<LogPage, void, undefined> {
  const wanted = types && new Set(types);
  let scanned = from;
  for (let page = await follower.next(); page !== undefined; page = await follower.next()) {
    if (!isBefore(log, scanned, page.scanned)) continue;
    const passed = scanned;
    const events = page.events.filter(
      ({ type, position }) => isBefore(log, passed, position) && (wanted?.has(type) ?? true),
    );
    scanned = page.scanned;
    yield { events, scanned, atHead: page.atHead && follower.isEmpty };
  }
}

function isBefore(log: EventLog, a: Position | null, b: Position | null): boolean {
  return b !== null && (a === null || log.comparePositions(a, b) < 0);
}
