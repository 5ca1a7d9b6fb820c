import { upcast } from '#domain/catalog.ts';
import type { EventLog, LogPage } from '#ports/eventLog.ts';

/** Shows a log's events in their newest schema version, whatever version they were written in. */
export function upcasting(log: EventLog): EventLog {
  const lifted = (page: LogPage): LogPage => ({ ...page, events: page.events.map(upcast) });
  return {
    atomicAcrossStreams: log.atomicAcrossStreams,
    append: (stream, expected, events) => log.append(stream, expected, events),
    appendAll: (appends) => log.appendAll(appends),
    readStream: async (stream, from) => (await log.readStream(stream, from)).map(upcast),
    readAll: async (after, limit, types) => lifted(await log.readAll(after, limit, types)),
    subscribe: async function* (after, types, signal) {
      for await (const page of log.subscribe(after, types, signal)) yield lifted(page);
    },
    head: () => log.head(),
    logId: () => log.logId(),
    comparePositions: (a, b) => log.comparePositions(a, b),
    lastRecordAt: (position) => log.lastRecordAt(position),
    mayLag: log.mayLag,
    close: () => log.close(),
  };
}
