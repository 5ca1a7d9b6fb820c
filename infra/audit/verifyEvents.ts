import type pg from 'pg';
import type { EventLog, Position, RecordedEvent } from '#ports/eventLog.ts';

/** Events that are read at once. */
const pageSize = 2_000;
const mostFaults = 20;

export type EventFault = { eventId: string; what: string };

/** The first faults, in the order of the log. */
export type EventVerification = {
  events: number;
  /** The newest, which have no entry yet. */
  waiting: number;
  faults: EventFault[];
};

export type VerifyEventsOptions = {
  /** Connections of the owner. */
  database: Pick<pg.Pool, 'query'>;
  /** The log as it was written. */
  log: EventLog;
  digestOf: (event: RecordedEvent) => string;
  /** The types of events that are audited. */
  types: readonly string[];
  onProgress?: (events: number) => void;
};

/** Holds the event log against the entries that were made of it: finds what was edited, put in or removed. */
export async function verifyEvents(options: VerifyEventsOptions): Promise<EventVerification> {
  const { database, digestOf, onProgress } = options;
  // Before the events: the event of each of these entries is in the log by now.
  const entries = await countEntries(database);
  const faults: EventFault[] = [];
  let unaudited: EventFault[] = [];
  let events = 0;
  let audited = 0;
  for await (const page of eventPages(options)) {
    const digests = await digestsOf(database, page);
    for (const event of page) {
      const digest = digests.get(event.id);
      if (digest === undefined) {
        unaudited.push({ eventId: event.id, what: 'the event was put in: the audit log does not know it' });
        continue;
      }
      audited++;
      // Events are audited in order; only the newest may not have been yet.
      faults.push(...unaudited);
      unaudited = [];
      if (digest !== digestOf(event)) faults.push({ eventId: event.id, what: 'the event was changed' });
    }
    events += page.length;
    onProgress?.(events);
    if (faults.length >= mostFaults) return { events, waiting: 0, faults: faults.slice(0, mostFaults) };
  }
  if (audited < entries) faults.push(...(await removedEvents(options)));
  return { events, waiting: unaudited.length, faults };
}

async function* eventPages({ log, types }: VerifyEventsOptions): AsyncGenerator<RecordedEvent[]> {
  let after: Position | null = null;
  for (;;) {
    const page: Awaited<ReturnType<EventLog['readAll']>> = await log.readAll(after, pageSize, types);
    if (page.events.length > 0) yield page.events;
    if (page.atHead || page.scanned === null) return;
    after = page.scanned;
  }
}

async function countEntries(database: VerifyEventsOptions['database']): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    'select count(*) from audit.entries where event_id is not null',
  );
  return Number(rows[0]?.count ?? 0);
}

async function digestsOf(
  database: VerifyEventsOptions['database'],
  events: readonly RecordedEvent[],
): Promise<Map<string, string>> {
  const { rows } = await database.query<{ event_id: string; event_digest: string }>({
    name: 'audit event digests',
    text: 'select event_id, event_digest from audit.entries where event_id = any($1::uuid[])',
    values: [events.map(({ id }) => id)],
  });
  return new Map(rows.map((row) => [row.event_id, row.event_digest]));
}

/** Looks for the events by name once it is known that some are gone. */
async function removedEvents(options: VerifyEventsOptions): Promise<EventFault[]> {
  const known = new Set<string>();
  const { rows } = await options.database.query<{ event_id: string }>(
    'select event_id from audit.entries where event_id is not null order by occurred_at, writer_id, sequence',
  );
  for await (const page of eventPages(options)) for (const { id } of page) known.add(id);
  return rows
    .filter((row) => !known.has(row.event_id))
    .slice(0, mostFaults)
    .map((row) => ({ eventId: row.event_id, what: 'the event was removed' }));
}
