import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import type { UnfinishedBatches } from '#ports/unfinishedBatches.ts';

type Row = { tenant_id: string; command_id: string; streams: string[] };

/** @param pool in the role `holdfast_api`; of the owner, for {@link UnfinishedBatches.abandoned} */
export function createUnfinishedBatches(pool: pg.Pool): UnfinishedBatches {
  return {
    begin: async ({ tenantId, commandId, streams }) => {
      await reachable(() =>
        pool.query(
          `insert into work.unfinished_batches as batch (tenant_id, command_id, streams) values ($1, $2, $3)
           on conflict (command_id) do update set touched_at = now(), streams = array(
             select distinct stream from unnest(batch.streams || excluded.streams) stream)`,
          [tenantId, commandId, streams],
        ),
      );
    },
    end: async (tenantId, commandId) => {
      await reachable(() =>
        pool.query('delete from work.unfinished_batches where tenant_id = $1 and command_id = $2', [
          tenantId,
          commandId,
        ]),
      );
    },
    abandoned: async (since) => {
      const { rows } = await pool.query<Row>(
        'select tenant_id, command_id, streams from work.unfinished_batches where touched_at <= $1 limit 100',
        [since],
      );
      return rows.map((row) => ({
        tenantId: row.tenant_id,
        commandId: row.command_id,
        streams: row.streams,
      }));
    },
  };
}
