import type pg from 'pg';
import type { Expired, Expiring } from '#ports/expiring.ts';

/** @param pool of the owner, whom row-level security does not bind */
export function createExpiring(pool: pg.Pool): Expiring {
  const expired = async (view: string, now: Date, limit: number): Promise<Expired[]> => {
    const found = await pool.query<{ tenant_id: string; id: string }>({
      text: `select tenant_id, id from read_models.${view} where expires_on <= $1 order by expires_on limit $2`,
      values: [now, limit],
    });
    return found.rows.map((row) => ({ tenantId: row.tenant_id, id: row.id }));
  };
  return {
    tokens: (now, limit) => expired('tokens', now, limit),
    sessions: (now, limit) => expired('sessions', now, limit),
    applications: (now, limit) => expired('applications', now, limit),
  };
}
