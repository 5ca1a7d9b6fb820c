import type pg from 'pg';
import type { OpenPayments } from '#ports/openPayments.ts';

type CallRow = { tenant_id: string; transaction_id: string; id: string; requested_at: Date };

/** @param pool of the owner, whom row-level security does not bind */
export const createOpenPayments = (pool: pg.Pool): OpenPayments => ({
  calls: async (before, after, limit) => {
    const { rows } = await pool.query<CallRow>(
      `select tenant_id, transaction_id, id, requested_at from read_models.transaction_calls
       where requested_at <= $1 and ($2::timestamptz is null or (requested_at, id) > ($2, $3))
       order by requested_at, id limit $4`,
      [before, after?.requestedAt ?? null, after?.id ?? null, limit],
    );
    return rows.map((row) => ({
      tenantId: row.tenant_id,
      transactionId: row.transaction_id,
      id: row.id,
      requestedAt: row.requested_at,
    }));
  },
  expiredApprovals: async (now, limit) => {
    const { rows } = await pool.query<{ tenant_id: string; id: string }>(
      `select tenant_id, id from read_models.transactions
       where approval_expires_at <= $1 order by approval_expires_at limit $2`,
      [now, limit],
    );
    return rows.map((row) => ({ tenantId: row.tenant_id, id: row.id }));
  },
});
