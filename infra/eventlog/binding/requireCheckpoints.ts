import type pg from 'pg';
import { endsEarly, isAnother } from '#infra/eventlog/binding/sentences.ts';
import type { PlacedLog } from '#infra/eventlog/binding/sentences.ts';
import { reachable } from '#infra/postgres/failure.ts';
import type { Position } from '#ports/eventLog.ts';
import { isBeyondHead } from '#src/lastEvent.ts';

type Row = { name: string; log_id: string; position: Position | null };

/**
 * Makes sure that a log is the one that views and subscribers have read, and goes as far as they came.
 * @throws WrongLog @throws LogUnavailable @throws StoreUnavailable
 */
export async function requireCheckpoints(
  client: Pick<pg.ClientBase, 'query'>,
  { log, place }: PlacedLog,
): Promise<void> {
  const { rows } = await reachable(() =>
    client.query<Row>(
      `select 'the view ' || view as name, log_id, position from work.projection_checkpoints
       union all select 'the subscriber ' || name, log_id, position from work.subscriptions`,
    ),
  );
  const here = { id: await log.logId(), place };
  const foreign = rows.find((row) => row.log_id !== here.id);
  if (foreign !== undefined) throw isAnother({ id: foreign.log_id, place: null }, here);
  // After the checkpoints, so that they cannot have moved past it.
  const head = await log.head();
  for (const { name, position } of rows) {
    if (position === null || !(await isBeyondHead(log, position, head))) continue;
    throw endsEarly(here, name, position, head);
  }
}
