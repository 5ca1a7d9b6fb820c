import type { EventLog, Position } from '#ports/eventLog.ts';
import type { Queryable, Statement } from '#projections/engine/session.ts';
import type { LastEvent } from '#src/lastEvent.ts';
import { prepared, sqlState } from '#projections/engine/session.ts';

/** How far the tables that queries read have come, a row a view. */
export type Checkpoint = {
  view: string;
  version: number;
  /** Null: nothing was applied yet. */
  position: Position | null;
  logId: string;
  /** The last event that was applied; null: of before this was kept, or nothing was. */
  lastEvent: LastEvent | null;
  status: 'live' | 'stopped';
  lastError: string | null;
  revision: string;
  updatedAt: Date;
};

const columns = `
  view, version, position, log_id as "logId", last_event as "lastEvent", status, last_error as "lastError", revision::text,
  updated_at as "updatedAt"`;

export async function readCheckpoints(client: Queryable): Promise<Checkpoint[]> {
  const { rows } = await client.query<Checkpoint>(
    `select ${columns} from work.projection_checkpoints order by view`,
  );
  return rows;
}

/** The fence: while the transaction holds it, no runner moves any view. */
export async function lockCheckpoints(client: Queryable): Promise<Checkpoint[]> {
  const { rows } = await client.query<Checkpoint>(
    `select ${columns} from work.projection_checkpoints order by view for update`,
  );
  return rows;
}

/**
 * Moves all checkpoints, and announces it, if they still are as they were read; fails with HF001 if not.
 * @param lastEvents null where nothing new was applied
 */
export function advanceCheckpoints(
  checkpoints: readonly Checkpoint[],
  reaches: readonly (Position | null)[],
  lastEvents: readonly (LastEvent | null)[],
  announcement: string,
): Statement {
  return prepared('select work.advance_checkpoints($1, $2, $3, $4, $5, $6)', [
    checkpoints.map(({ view }) => view),
    checkpoints.map(({ revision }) => revision),
    checkpoints.map(({ position }) => position),
    reaches,
    announcement,
    lastEvents.map((event) => (event === null ? null : JSON.stringify(event))),
  ]);
}

/** The checkpoints are not those that were read: another runner works, or a view was rebuilt. */
export function isFenceLost(error: unknown): boolean {
  return sqlState(error) === 'HF001';
}

export async function recordStatus(
  client: Queryable,
  status: Checkpoint['status'],
  error: string | null,
): Promise<void> {
  await client.query(
    `update work.projection_checkpoints set status = $1, last_error = $2
     where status <> $1 or last_error is distinct from $2`,
    [status, error],
  );
}

/** Views that had stopped go on; why they stood still is forgotten with the first page. */
export async function recordRestart(client: Queryable): Promise<void> {
  await client.query(
    `update work.projection_checkpoints set status = 'live', last_error = null where status = 'stopped'`,
  );
}

/** What compares positions. */
export type Order = Pick<EventLog, 'comparePositions'>;

/** The later of two positions. */
export function later(log: Order, a: Position | null, b: Position | null): Position | null {
  if (a === null) return b;
  if (b === null) return a;
  return log.comparePositions(a, b) >= 0 ? a : b;
}

/** The position that all have reached; null when one has not begun, or there are none. */
export function earliest(log: Order, positions: readonly (Position | null)[]): Position | null {
  let found: Position | null | undefined;
  for (const position of positions) {
    if (position === null) return null;
    if (found === undefined || found === null || log.comparePositions(position, found) < 0) found = position;
  }
  return found ?? null;
}
