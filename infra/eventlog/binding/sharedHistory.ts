import type pg from 'pg';
import type { EventLog, Position } from '#ports/eventLog.ts';
import { lastEventOf, positionIn } from '#src/lastEvent.ts';
import type { LastEvent } from '#src/lastEvent.ts';

const pageSize = 1_000;

/**
 * The last event up to which a log is the one that was read before, by the last events of views and subscribers and by the
 * audit log, which has an entry for each event; undefined: they share nothing.
 * @param known last events that were applied
 */
export async function lastShared(
  client: Pick<pg.ClientBase, 'query'>,
  log: EventLog,
  known: readonly LastEvent[],
): Promise<LastEvent | undefined> {
  let shared = await latestIn(log, known);
  for (let after: Position | null = shared?.position ?? null; ;) {
    const page = await log.readAll(after, pageSize);
    const audited = await auditedAmong(
      client,
      page.events.map(({ id }) => id),
    );
    for (const event of page.events) {
      if (!audited.has(event.id)) return shared;
      shared = lastEventOf(event);
    }
    if (page.atHead) return shared;
    after = page.scanned;
  }
}

/** Of events that were applied, the latest that the log has; where it has it now. */
async function latestIn(log: EventLog, known: readonly LastEvent[]): Promise<LastEvent | undefined> {
  let latest: LastEvent | undefined;
  for (const event of new Map(known.map((one) => [one.id, one])).values()) {
    const position = await positionIn(log, event);
    if (position === undefined) continue;
    if (latest === undefined || log.comparePositions(position, latest.position) > 0) {
      latest = { ...event, position };
    }
  }
  return latest;
}

async function auditedAmong(
  client: Pick<pg.ClientBase, 'query'>,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ event_id: string }>(
    'select event_id from audit.entries where event_id = any($1::uuid[])',
    [ids],
  );
  return new Set(rows.map((row) => row.event_id));
}
