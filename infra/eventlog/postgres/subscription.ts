import { Backoff } from '#infra/backoff.ts';
import type { Wakeup } from '#infra/eventlog/wakeup.ts';
import type { LogPage, Position } from '#ports/eventLog.ts';
import type { Logger } from '#ports/logger.ts';

/** A notification may be lost with its connection: the log is read this often anyway, in milliseconds. */
const pollInterval = 250;

export type Subscription = {
  after: Position | null;
  readPage: (after: Position | null) => Promise<LogPage>;
  /** Woken when something was appended, and when the signal aborts. */
  wakeup: Wakeup;
  signal: AbortSignal;
  logger: Logger | undefined;
};

/**
 * The first page always comes, be it empty, so that a reader learns that it is at the head; later ones come
 * when they bring events, or show that the log went on without a wanted one.
 */
export async function* subscribe({
  after,
  readPage,
  wakeup,
  signal,
  logger,
}: Subscription): AsyncGenerator<LogPage, void, undefined> {
  const backoff = new Backoff(50, 1_000);
  let scanned = after;
  let first = true;
  while (!signal.aborted) {
    const page = await readPage(scanned).catch((error: unknown) => {
      logger?.warn({ err: error }, 'reading the event log failed and is tried again');
    });
    if (signal.aborted) return;
    if (page === undefined) {
      await backoff.pause(signal);
      continue;
    }
    backoff.reset();
    if (first || page.scanned !== scanned) yield page;
    first = false;
    scanned = page.scanned;
    if (page.atHead) await wakeup.wait(pollInterval);
  }
}
