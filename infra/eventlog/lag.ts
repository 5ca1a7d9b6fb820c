import type { Clock } from '#ports/clock.ts';
import type { EventLog, Position } from '#ports/eventLog.ts';

/** Events are counted this far. */
export const countedLag = 10_000;
const pageSize = 1_000;

/** What lies in the log behind a position: how many events, {@link countedLag} at most, and the age of the first. */
export type Lag = { events: number; seconds: number };

/** Of all events, or of those of some types. @throws LogUnavailable */
export async function lagBehind(
  { log, clock }: { log: Pick<EventLog, 'readAll'>; clock: Clock },
  position: Position | null,
  types?: readonly string[],
): Promise<Lag> {
  let after = position;
  let events = 0;
  let oldest: string | undefined;
  for (;;) {
    const page = await log.readAll(after, pageSize, types);
    events += page.events.length;
    oldest ??= page.events[0]?.metadata.occurred_at;
    if (page.atHead || page.scanned === after || events >= countedLag) break;
    after = page.scanned;
  }
  const seconds = oldest === undefined ? 0 : (clock.now().getTime() - Date.parse(oldest)) / 1_000;
  return { events: Math.min(events, countedLag), seconds: Math.max(seconds, 0) };
}
