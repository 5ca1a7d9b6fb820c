import type { Engine } from '#projections/engine/engine.ts';
import type { Queryable, Session } from '#projections/engine/session.ts';
import { openSession } from '#projections/engine/session.ts';
import type { Tables } from '#projections/engine/tables.ts';
import { createTableSql, dropTableSql, shadowTables } from '#projections/engine/tables.ts';
import type { Projection } from '#projections/projection.ts';

/** Another process rebuilds or verifies this view. */
export class ViewBusy extends Error {
  override readonly name = 'ViewBusy';
}

/** Session-level, together with a hash of the view's name. */
const shadowLock = 4_650_202;

/**
 * The log is the source, so no commit here needs to wait for the disk before the last one, whose order in the
 * write-ahead log makes all before it durable. Rows are found by the key's index, whatever the planner thinks
 * of a table that it has not seen yet.
 */
const setup = `
  set synchronous_commit = off;
  set maintenance_work_mem = '256MB';
  set enable_seqscan = off;
  set enable_hashjoin = off;
  set enable_mergejoin = off;
`;

/** Fresh shadow tables of a view, and the connection that owns them. */
export type Shadow = { session: Session; tables: Tables };

/**
 * Runs with empty shadow tables, which only one process has at a time. What is left of them afterwards, or of
 * an earlier run that was killed, is dropped.
 * @throws ViewBusy
 */
export async function withShadow<Result>(
  engine: Engine,
  projection: Projection,
  run: (shadow: Shadow) => Promise<Result>,
): Promise<Result> {
  const session = await openSession(engine.connection, { pipeline: false, setup });
  try {
    const { client } = session;
    await lock(client, projection);
    await dropShadows(client, projection);
    const tables = shadowTables(projection);
    for (const table of tables.values()) await client.query(createTableSql(table));
    try {
      return await run({ session, tables });
    } finally {
      if (!session.lost.aborted) await dropShadows(client, projection);
    }
  } finally {
    await session.end();
  }
}

async function lock(client: Queryable, { name }: Projection): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1, hashtext($2)) as taken',
    [shadowLock, name],
  );
  if (rows[0]?.taken !== true) throw new ViewBusy(`the view ${name} is being rebuilt or verified already`);
}

/** Of all versions: an older one may have left its own behind. */
async function dropShadows(client: Queryable, projection: Projection): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables, unnest($1::text[]) as wanted
     where schemaname = 'read_models' and tablename ~ ('^' || wanted || '_v[0-9]+_shadow$')`,
    [projection.tables.map(({ name }) => name)],
  );
  for (const { name } of rows) await client.query(dropTableSql(name));
}
