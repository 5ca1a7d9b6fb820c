import type pg from 'pg';
import { deletionOf } from '#infra/vault/payloads/deleteRows.ts';

const batch = 1_000;

/** Deletes payloads whose time is over, as the owner. Answers how many went. */
export const sweepExpired = (pool: pg.Pool, now: Date): Promise<number> =>
  deleteInBatches(
    pool,
    `select tenant_id, id from vault.payloads where expires_at <= $1 limit ${batch} for update`,
    now,
  );

/** Deletes rows of tenants whose keys were destroyed a while ago, as the owner. Answers how many went. */
export async function sweepDestroyedTenants(pool: pg.Pool): Promise<number> {
  const { rows: tenants } = await pool.query<{ tenant_id: string }>(
    `select tenant_id from vault.destroyed_tenants d
     where not swept and destroyed_at < now() - interval '1 minute'
       and not exists (select from vault.tenant_keys k where k.tenant_id = d.tenant_id)`,
  );
  let deleted = 0;
  for (const { tenant_id } of tenants) {
    deleted += await deleteInBatches(
      pool,
      `select tenant_id, id from vault.payloads where tenant_id = $1 limit ${batch} for update`,
      tenant_id,
    );
    // A process that had not heard yet may have made one.
    await pool.query('delete from vault.data_keys where tenant_id = $1', [tenant_id]);
    await pool.query('update vault.destroyed_tenants set swept = true where tenant_id = $1', [tenant_id]);
  }
  return deleted;
}

/** Finds and deletes in one statement, so that what changed meanwhile is seen. */
async function deleteInBatches(pool: pg.Pool, query: string, parameter: unknown): Promise<number> {
  const statement = deletionOf(query);
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(statement, [parameter]);
    if (rowCount === null || rowCount === 0) return deleted;
    deleted += rowCount;
  }
}
