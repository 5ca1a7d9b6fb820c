import type pg from 'pg';
import type { EventLog, Position, RecordedEvent } from '#ports/eventLog.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import { isBeyondHead, isInPlace } from '#src/lastEvent.ts';
import type { LastEvent } from '#src/lastEvent.ts';

/** The log is not the one that the checkpoint speaks of. */
export class ForeignCheckpoint extends Error {
  override readonly name = 'ForeignCheckpoint';
}

/**
 * Where a subscriber left off; a new one starts where it says.
 * @throws ForeignCheckpoint when the log was swapped, or was put back to an earlier state
 */
export async function loadCheckpoint(
  client: pg.Client,
  log: EventLog,
  { name, from }: Pick<Subscriber, 'name' | 'from'>,
): Promise<Position | null> {
  const [logId, head] = await Promise.all([log.logId(), log.head()]);
  await client.query({
    text: `insert into work.subscriptions (name, log_id, position) values ($1, $2, $3) on conflict do nothing`,
    values: [name, logId, from === 'head' ? head : null],
  });
  const found = await client.query<{
    log_id: string;
    position: Position | null;
    last_event: LastEvent | null;
  }>({
    text: 'select log_id, position, last_event from work.subscriptions where name = $1',
    values: [name],
  });
  const position = found.rows[0]?.position ?? null;
  if (found.rows[0]?.log_id !== logId) {
    throw new ForeignCheckpoint(`the subscriber ${name} has read another event log than this one`);
  }
  if (await isBeyondHead(log, position, head)) {
    throw new ForeignCheckpoint(`the subscriber ${name} has read beyond the end of the event log`);
  }
  const last = found.rows[0].last_event;
  if (last !== null && !(await isInPlace(log, last))) {
    throw new ForeignCheckpoint(
      `the subscriber ${name} has read the event ${last.id} at ${last.position}, which the event log no longer has there`,
    );
  }
  return position;
}

/**
 * Moves a checkpoint from where this process left it.
 * @param lastEvent that was handled; null: no other than before
 * @throws when somebody else moved it meanwhile
 */
export async function saveCheckpoint(
  client: pg.Client,
  name: string,
  from: Position | null,
  to: Position | null,
  lastEvent: LastEvent | null = null,
): Promise<void> {
  const moved = await client.query({
    name: 'subscription_checkpoint',
    text: `update work.subscriptions set position = $3, last_event = coalesce($4, last_event), last_error = null, failing_since = null,
        blocked_event = null, blocked_type = null, blocked_position = null, updated_at = now()
      where name = $1 and position is not distinct from $2`,
    values: [name, from, to, lastEvent],
  });
  if (moved.rowCount !== 1) throw new Error(`the checkpoint of ${name} was moved by another process`);
}

/** @param event that alone could not be handled, where that is known */
export async function saveFailure(
  client: pg.Client,
  name: string,
  { error, event }: { error: unknown; event: RecordedEvent | undefined },
): Promise<void> {
  await client.query({
    text: `update work.subscriptions set last_error = $2, failing_since = coalesce(failing_since, now()),
        blocked_event = $3, blocked_type = $4, blocked_position = $5, updated_at = now()
      where name = $1`,
    values: [
      name,
      error instanceof Error ? error.message : 'unknown',
      event?.id ?? null,
      event?.type ?? null,
      event?.position ?? null,
    ],
  });
}
