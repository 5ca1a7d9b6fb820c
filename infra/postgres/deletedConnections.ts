import type pg from 'pg';
import type { DeletedConnections } from '#ports/deletedConnections.ts';

/** @param pool of the owner, whom row-level security does not bind */
export const createDeletedConnections = (pool: pg.Pool): DeletedConnections => ({
  idle: async (deletedBefore, begunAfter, limit) => {
    const { rows } = await pool.query<{ tenant_id: string; id: string }>(
      `select tenant_id, id from read_models.deleted_connections as deleted
       where deleted_at <= $1 and not exists (
         select from read_models.transaction_calls as call
         join read_models.transactions as transaction
           on transaction.tenant_id = call.tenant_id and transaction.id = call.transaction_id
         where call.tenant_id = deleted.tenant_id and transaction.connection_id = deleted.id::text
           and call.requested_at > $2)
       order by deleted_at limit $3`,
      [deletedBefore, begunAfter, limit],
    );
    return rows.map((row) => ({ tenantId: row.tenant_id, id: row.id }));
  },
});
