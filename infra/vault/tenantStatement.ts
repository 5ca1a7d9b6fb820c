import type pg from 'pg';

/**
 * The head of a statement that row-level security lets see one tenant, `$1`. What follows must hang on
 * `tenant`: reads in `cross join lateral (... offset 0)`, inserts by selecting from it. Then the planner cannot
 * touch a table before the setting is made; an update or a delete gives no such promise, see {@link inTenant}.
 */
export const asTenant = `with tenant as materialized (select set_config('hf.tenant', $1, true)::uuid as id)`;

/** A transaction in which row-level security shows one tenant: for updates and deletes. */
export async function inTenant<Result>(
  pool: pg.Pool,
  tenantId: string,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, async (client) => {
    await client.query("select set_config('hf.tenant', $1, true)", [tenantId]);
    return work(client);
  });
}

/** A transaction; a connection on which something failed is closed, because its state is not known. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // A connection that breaks also fails the statement under way; unheard, the event would end the process.
  client.on('error', ignore);
  let failed = true;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    failed = false;
    return result;
  } finally {
    client.off('error', ignore);
    client.release(failed);
  }
}

const ignore = (): void => undefined;
