import type pg from 'pg';
import type { EventLog, Position } from '#ports/eventLog.ts';
import { WrongLog } from '#ports/eventLog.ts';

type Row = { name: string; log_id: string; position: Position | null };

/**
 * Makes sure that a log is the one that views and subscribers have read, and goes as far as they came.
 * @param pool of the owner
 * @throws WrongLog @throws LogUnavailable
 */
export async function requireCheckpoints(
  pool: pg.Pool,
  log: Pick<EventLog, 'logId' | 'head' | 'comparePositions'>,
): Promise<void> {
  const { rows } = await pool.query<Row>(
    `select 'the view ' || view as name, log_id, position from work.projection_checkpoints
     union all select 'the subscriber ' || name, log_id, position from work.subscriptions`,
  );
  const logId = await log.logId();
  const foreign = rows.find((row) => row.log_id !== logId);
  if (foreign !== undefined) {
    throw new WrongLog(
      `${foreign.name} has read the event log ${foreign.log_id}, and this is the event log ${logId}: connect that one`,
    );
  }
  // After the checkpoints, so that they cannot have moved past it.
  const head = await log.head();
  const beyond = rows.find(
    ({ position }) => position !== null && (head === null || log.comparePositions(position, head) > 0),
  );
  if (beyond !== undefined) {
    throw new WrongLog(
      `${beyond.name} has come to ${beyond.position ?? ''}, and the event log ends at ${head ?? 'its beginning'}: ` +
        'events are missing from it, restore them',
    );
  }
}
