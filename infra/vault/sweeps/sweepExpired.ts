import type pg from 'pg';
import { deleteStatement } from '#infra/vault/payloads/deleteRows.ts';

const batch = 1_000;

export type PayloadKey = { tenant_id: string; id: string };

/** Deletes payloads whose time is over, as the owner. Answers how many went. */
export async function sweepExpired(pool: pg.Pool, now: Date): Promise<number> {
  return deleteInBatches(pool, async () => {
    const { rows } = await pool.query<PayloadKey>(
      `select tenant_id, id from vault.payloads where expires_at <= $1 limit ${batch}`,
      [now],
    );
    return rows;
  });
}

/** Deletes rows of tenants whose keys were destroyed a while ago, as the owner. Answers how many went. */
export async function sweepDestroyedTenants(pool: pg.Pool): Promise<number> {
  const { rows: tenants } = await pool.query<{ tenant_id: string }>(
    `select tenant_id from vault.destroyed_tenants d
     where not swept and destroyed_at < now() - interval '1 minute'
       and not exists (select from vault.tenant_keys k where k.tenant_id = d.tenant_id)`,
  );
  let deleted = 0;
  for (const { tenant_id } of tenants) {
    deleted += await deleteInBatches(pool, async () => {
      const { rows } = await pool.query<PayloadKey>(
        `select tenant_id, id from vault.payloads where tenant_id = $1 limit ${batch}`,
        [tenant_id],
      );
      return rows;
    });
    // A process that had not heard yet may have made one.
    await pool.query('delete from vault.data_keys where tenant_id = $1', [tenant_id]);
    await pool.query('update vault.destroyed_tenants set swept = true where tenant_id = $1', [tenant_id]);
  }
  return deleted;
}

export async function deletePayloads(pool: pg.Pool, payloads: readonly PayloadKey[]): Promise<void> {
  await pool.query(deleteStatement, [payloads.map((row) => row.tenant_id), payloads.map((row) => row.id)]);
}

async function deleteInBatches(pool: pg.Pool, next: () => Promise<PayloadKey[]>): Promise<number> {
  let deleted = 0;
  for (let doomed = await next(); doomed.length > 0; doomed = await next()) {
    await deletePayloads(pool, doomed);
    deleted += doomed.length;
  }
  return deleted;
}
