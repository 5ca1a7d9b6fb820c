import type pg from 'pg';

/** Rows of a table that statements have read, by an index or without; those of this connection are all counted. */
export async function rowsRead(connection: Pick<pg.ClientBase, 'query'>, table: string): Promise<number> {
  await connection.query('select pg_stat_force_next_flush()');
  const { rows } = await connection.query<{ count: number }>(
    `select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int4 as count from pg_stat_user_tables where relname = $1`,
    [table],
  );
  return rows[0]?.count ?? 0;
}
