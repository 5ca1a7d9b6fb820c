import type pg from 'pg';

/** The ids of some tenants. @param pool of the owner, whom row-level security does not bind */
export async function listTenants(pool: pg.Pool, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select id from read_models.tenants limit $1', [limit]);
  return rows.map(({ id }) => id);
}
