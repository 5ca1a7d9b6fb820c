import type pg from 'pg';

/** The oldest tenant of a name; undefined also when no view was ever built. */
export async function findTenantNamed(pool: pg.Pool, name: string): Promise<string | undefined> {
  const exists = await pool.query<{ view: string | null }>(
    "select to_regclass('read_models.tenants') as view",
  );
  if ((exists.rows[0]?.view ?? null) === null) return undefined;
  const found = await pool.query<{ id: string }>(
    'select id from read_models.tenants where name = $1 order by ordinal limit 1',
    [name],
  );
  return found.rows[0]?.id;
}
