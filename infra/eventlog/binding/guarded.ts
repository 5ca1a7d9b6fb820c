import type { LogGuard } from '#infra/eventlog/binding/guard.ts';
import type { EventLog } from '#ports/eventLog.ts';

/** A log to which nothing is written, and of which no event is applied, unless it is the installation's own. */
export const guarded = (log: EventLog, guard: LogGuard): EventLog => ({
  atomicAcrossStreams: log.atomicAcrossStreams,
  mayLag: log.mayLag,
  append: async (stream, expected, events) => {
    await guard.check();
    return log.append(stream, expected, events);
  },
  appendAll: async (appends) => {
    await guard.check();
    return log.appendAll(appends);
  },
  readStream: (stream, from) => log.readStream(stream, from),
  readStreamEnd: (stream, limit) => log.readStreamEnd(stream, limit),
  readAll: async (after, limit, types) => {
    await guard.check();
    return log.readAll(after, limit, types);
  },
  subscribe: async function* (after, types, signal) {
    for await (const page of log.subscribe(after, types, signal)) {
      // A subscription resumes by itself, on whatever server then answers.
      if (page.events.length > 0) await guard.check();
      yield page;
    }
  },
  head: () => log.head(),
  logId: () => log.logId(),
  owner: () => log.owner(),
  giveTo: (owner, instead) => log.giveTo(owner, instead),
  lastRecordAt: (position) => log.lastRecordAt(position),
  comparePositions: (a, b) => log.comparePositions(a, b),
  close: () => log.close(),
});
