import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import type { LastEvent } from '#src/lastEvent.ts';

/** The installation, and the log that it is bound to; `logId` null: none yet. */
export type Installation = { id: string; logId: string | null; logPlace: string | null };

/** Where a view or a subscriber stands in its log. */
export type Reader = { name: string; logId: string; lastEvent: LastEvent | null };

type Queryable = Pick<pg.ClientBase, 'query'>;

const columns = 'id, log_id as "logId", log_place as "logPlace"';

/** @throws StoreUnavailable */
export async function readInstallation(client: Queryable): Promise<Installation> {
  return one(await reachable(() => client.query<Installation>(`select ${columns} from work.installation`)));
}

/** For the rest of the transaction nobody else binds it. */
export async function lockInstallation(client: Queryable): Promise<Installation> {
  return one(await client.query<Installation>(`select ${columns} from work.installation for update`));
}

export async function writeBinding(client: Queryable, logId: string, logPlace: string): Promise<void> {
  await client.query('update work.installation set log_id = $1, log_place = $2, bound_at = now()', [
    logId,
    logPlace,
  ]);
}

/** Of every view and subscriber. @throws StoreUnavailable */
export async function readReaders(client: Queryable): Promise<Reader[]> {
  const { rows } = await reachable(() =>
    client.query<Reader>(
      `select 'the view ' || view as name, log_id as "logId", last_event as "lastEvent"
       from work.projection_checkpoints
       union all
       select 'the subscriber ' || name, log_id, last_event from work.subscriptions`,
    ),
  );
  return rows;
}

function one({ rows: [row] }: pg.QueryResult<Installation>): Installation {
  if (row === undefined) throw new Error('the installation has lost its row');
  return row;
}
