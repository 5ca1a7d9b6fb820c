import type { EventLog, LogPage, Position } from '#ports/eventLog.ts';

/** Small pages are forgotten before the garbage collector takes them for old. */
const pageSize = 500;

/** Pages after a position up to one (or to the end of the log); the next is on its way while one is used. */
export async function* readPages(
  log: EventLog,
  from: Position | null,
  until: Position | null | undefined,
  signal?: AbortSignal,
): AsyncGenerator<LogPage> {
  if (until === null) return;
  let upcoming: Promise<LogPage> | undefined = read(log, from);
  while (upcoming !== undefined) {
    signal?.throwIfAborted();
    const page: LogPage = await upcoming;
    const isLast = page.atHead || isReached(log, page.scanned, until);
    upcoming = isLast ? undefined : read(log, page.scanned);
    yield until === undefined ? page : upTo(log, page, until);
  }
}

function read(log: EventLog, after: Position | null): Promise<LogPage> {
  const page = log.readAll(after, pageSize);
  // When the reader gives up early nobody waits for this page, and its failure is no news.
  page.catch(() => undefined);
  return page;
}

function isReached(log: EventLog, scanned: Position | null, until: Position | undefined): boolean {
  return until !== undefined && scanned !== null && log.comparePositions(scanned, until) >= 0;
}

function upTo(log: EventLog, page: LogPage, until: Position): LogPage {
  if (page.scanned === null || log.comparePositions(page.scanned, until) <= 0) return page;
  return {
    ...page,
    scanned: until,
    events: page.events.filter((event) => log.comparePositions(event.position, until) <= 0),
  };
}
