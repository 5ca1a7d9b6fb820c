import { newestKnownVersion, upcast } from '#domain/catalog.ts';
import { EventTooNew } from '#ports/eventLog.ts';
import type { EventLog, LogPage, RecordedEvent } from '#ports/eventLog.ts';

/**
 * Shows a log's events in their newest schema version, whatever version they were written in. What a later version of
 * the code wrote is never read as if it were old: a stream that holds it is refused, and in pages it is marked.
 */
export function upcasting(log: EventLog): EventLog {
  const readable = (events: readonly RecordedEvent[]): RecordedEvent[] => {
    const today = events.map(lift);
    const tooNew = today.find(({ unreadable }) => unreadable !== undefined);
    if (tooNew?.unreadable !== undefined) throw new EventTooNew(tooNew.unreadable, events);
    return today;
  };
  const lifted = (page: LogPage): LogPage => ({ ...page, events: page.events.map(lift) });
  return {
    atomicAcrossStreams: log.atomicAcrossStreams,
    append: (stream, expected, events) => log.append(stream, expected, events),
    appendAll: (appends) => log.appendAll(appends),
    readStream: async (stream, from) => readable(await log.readStream(stream, from)),
    readStreamEnd: async (stream, limit) => readable(await log.readStreamEnd(stream, limit)),
    readAll: async (after, limit, types) => lifted(await log.readAll(after, limit, types)),
    subscribe: async function* (after, types, signal) {
      for await (const page of log.subscribe(after, types, signal)) yield lifted(page);
    },
    head: () => log.head(),
    logId: () => log.logId(),
    owner: () => log.owner(),
    giveTo: (owner, instead) => log.giveTo(owner, instead),
    comparePositions: (a, b) => log.comparePositions(a, b),
    lastRecordAt: (position) => log.lastRecordAt(position),
    mayLag: log.mayLag,
    close: () => log.close(),
  };
}

function lift(event: RecordedEvent): RecordedEvent {
  const newest = newestKnownVersion(event.type);
  const version = event.metadata.schema_version;
  if (newest === undefined || version <= newest) return upcast(event);
  const unreadable =
    `the event ${event.id} of type ${event.type} has the schema version ${version}, and this version of Holdfast ` +
    `knows up to ${newest}: a later version wrote it, and has to read it`;
  return { ...event, unreadable };
}
