import { EventTooNew } from '#ports/eventLog.ts';
import type { EventLog, Position, RecordedEvent } from '#ports/eventLog.ts';

/** The last event that somebody applied, as a checkpoint keeps it: enough to find out whether a log still has it. */
export type LastEvent = { id: string; stream: string; revision: string; position: Position };

export const lastEventOf = (event: RecordedEvent): LastEvent => ({
  id: event.id,
  stream: event.stream,
  revision: event.revision.toString(),
  position: event.position,
});

/** The last event of a page; null where it brought none. */
export function lastEventIn({ events }: { events: readonly RecordedEvent[] }): LastEvent | null {
  const last = events.at(-1);
  return last === undefined ? null : lastEventOf(last);
}

/** Where a log has the event of this id, if it does: a log that was put back, and grew again, has another in its place. */
export async function positionIn(
  log: Pick<EventLog, 'readStream'>,
  { id, stream, revision }: LastEvent,
): Promise<Position | undefined> {
  const [found] = await log.readStream(stream, BigInt(revision)).catch((error: unknown) => {
    // To be there, an event need not be understood.
    if (error instanceof EventTooNew) return error.found;
    throw error;
  });
  return found?.id === id && found.revision === BigInt(revision) ? found.position : undefined;
}

/** Whether a log has the event where it was. */
export const isInPlace = async (log: Pick<EventLog, 'readStream'>, last: LastEvent): Promise<boolean> =>
  (await positionIn(log, last)) === last.position;

/**
 * Whether what was saved lies behind the end of a log. Earlier versions saved places that are no event's, which may lie
 * there on a sound log.
 */
export async function isBeyondHead(
  log: Pick<EventLog, 'comparePositions' | 'lastRecordAt'>,
  saved: Position | null,
  head: Position | null,
): Promise<boolean> {
  if (saved === null || (head !== null && log.comparePositions(saved, head) <= 0)) return false;
  const position = await log.lastRecordAt(saved);
  return position !== null && (head === null || log.comparePositions(position, head) > 0);
}
