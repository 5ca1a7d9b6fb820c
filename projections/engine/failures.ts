import pg from 'pg';
import type { Position, RecordedEvent } from '#ports/eventLog.ts';
import { UnwritableValue } from '#projections/engine/columns.ts';
import type { Queryable, Statement } from '#projections/engine/session.ts';
import { prepared, sqlState } from '#projections/engine/session.ts';

/** An event that a view could not take, or that waits behind such an event of its stream. */
export type Failure = {
  view: string;
  event: Pick<RecordedEvent, 'id' | 'stream' | 'revision' | 'position' | 'type'>;
  /** Null: nothing is wrong with this event, it waits behind another. */
  error: string | null;
};

export type ParkedEvent = {
  id: string;
  stream: string;
  revision: bigint;
  position: Position;
  type: string;
  error: string | null;
};

export function recordFailures(failures: readonly Failure[]): Statement[] {
  if (failures.length === 0) return [];
  const of = (pick: (failure: Failure) => unknown): unknown[] => failures.map(pick);
  return [
    prepared(
      `insert into work.projection_failures (view, event_id, stream, revision, position, type, error)
       select * from unnest($1::text[], $2::uuid[], $3::text[], $4::int8[], $5::text[], $6::text[], $7::text[])
       on conflict (view, event_id) do nothing`,
      [
        of(({ view }) => view),
        of(({ event }) => event.id),
        of(({ event }) => event.stream),
        of(({ event }) => String(event.revision)),
        of(({ event }) => event.position),
        of(({ event }) => event.type),
        of(({ error }) => error),
      ],
    ),
  ];
}

/** Parked events of a view, oldest first within each stream. */
export async function readParked(client: Queryable, view: string): Promise<ParkedEvent[]> {
  const { rows } = await client.query<Omit<ParkedEvent, 'revision'> & { revision: string }>(
    `select event_id as id, stream, revision::text, position, type, error
     from work.projection_failures where view = $1 and status = 'parked' order by stream, revision`,
    [view],
  );
  return rows.map((row) => ({ ...row, revision: BigInt(row.revision) }));
}

/** The streams of a view whose events are parked, and wait. */
export async function readParkedStreams(client: Queryable, view: string): Promise<Set<string>> {
  const { rows } = await client.query<{ stream: string }>(
    `select distinct stream from work.projection_failures where view = $1 and status = 'parked'`,
    [view],
  );
  return new Set(rows.map((row) => row.stream));
}

/** Ids of the events that were skipped for good in a view. */
export async function readSkipped(client: Queryable, view: string): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    `select event_id as id from work.projection_failures where view = $1 and status = 'skipped'`,
    [view],
  );
  return new Set(rows.map((row) => row.id));
}

/** Integrity, data and limit violations: caused by the rows, not by the server's condition. */
const dataStates = /^(21|22|23|54)/;

export function isDataError(error: unknown): boolean {
  return error instanceof UnwritableValue || dataStates.test(sqlState(error) ?? '');
}

/** What is kept of an error: never the values that Postgres quotes behind a colon. */
export function describeError(error: unknown): string {
  if (error instanceof pg.DatabaseError) {
    const place = [error.table, error.column, error.constraint].filter((part) => part !== undefined);
    const [meaning] = error.message.split(':');
    return [error.code, meaning, ...place].join(' ');
  }
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'an unknown error';
}
