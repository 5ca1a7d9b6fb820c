import type pg from 'pg';
import type { WaitingJobs } from '#ports/waitingJobs.ts';

type Row = { tenant_id: string; id: string; expires_at: Date };

/** @param pool of the owner, whom row-level security does not bind */
export const createWaitingJobs = (pool: pg.Pool): WaitingJobs => ({
  areThere: async () => {
    const { rows } = await pool.query<{ there: boolean }>(
      `select exists (
         select from read_models.account_updater_jobs where status in ('pending', 'processing')) as there`,
    );
    return rows[0]?.there === true;
  },
  find: async (status, after, limit) => {
    const { rows } = await pool.query<Row>(
      `select tenant_id, id, expires_at from read_models.account_updater_jobs
       where status = $1 and ($2::timestamptz is null or (expires_at, id) > ($2, $3))
       order by expires_at, id limit $4`,
      [status, after?.expiresAt ?? null, after?.id ?? null, limit],
    );
    return rows.map((row) => ({ tenantId: row.tenant_id, id: row.id, expiresAt: row.expires_at }));
  },
});
