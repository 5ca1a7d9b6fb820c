import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import type { UnfinishedBatches } from '#ports/unfinishedBatches.ts';

type Row = { tenant_id: string; command_id: string; streams: string[] };

/** A batch that nobody renewed for so long has lost its writer, or its undoer. */
const abandonedAfter = '2 minutes';
const claimedTogether = 10;

/** @param pool in the role `holdfast_api`; of the owner, for {@link UnfinishedBatches.claimAbandoned} */
export function createUnfinishedBatches(pool: pg.Pool): UnfinishedBatches {
  /** Whether a statement about a batch found it. */
  const found = async (text: string, values: unknown[]): Promise<boolean> => {
    const { rowCount } = await reachable(() => pool.query(text, values));
    return rowCount === 1;
  };
  return {
    begin: ({ tenantId, commandId, streams }) =>
      found(
        `insert into work.unfinished_batches as batch (tenant_id, command_id, streams) values ($1, $2, $3)
         on conflict (command_id) do update set touched_at = now(), streams = array(
           select distinct stream from unnest(batch.streams || excluded.streams) stream)
         where batch.claimed_at is null`,
        [tenantId, commandId, streams],
      ),
    renew: (tenantId, commandId) =>
      found(
        `update work.unfinished_batches set touched_at = now()
         where tenant_id = $1 and command_id = $2 and claimed_at is null`,
        [tenantId, commandId],
      ),
    end: (tenantId, commandId) =>
      found(
        `delete from work.unfinished_batches
         where tenant_id = $1 and command_id = $2 and claimed_at is null`,
        [tenantId, commandId],
      ),
    claimAbandoned: async () => {
      // A row that its writer renews or ends at this moment is looked at again once that is committed.
      const { rows } = await pool.query<Row>(
        `update work.unfinished_batches set claimed_at = now(), touched_at = now()
         where touched_at <= now() - interval '${abandonedAfter}' and command_id in (
           select command_id from work.unfinished_batches
           where touched_at <= now() - interval '${abandonedAfter}' order by touched_at limit ${claimedTogether})
         returning tenant_id, command_id, streams`,
      );
      return rows.map((row) => ({
        tenantId: row.tenant_id,
        commandId: row.command_id,
        streams: row.streams,
      }));
    },
    forget: async (tenantId, commandId) => {
      await pool.query(
        `delete from work.unfinished_batches
         where tenant_id = $1 and command_id = $2 and claimed_at is not null`,
        [tenantId, commandId],
      );
    },
  };
}
