import type pg from 'pg';
import { onConnections } from '#projections/engine/session.ts';
import type { Tables } from '#projections/engine/tables.ts';
import {
  adoptKeyIndexSql,
  createIndexesSql,
  createKeyIndexSql,
  qualified,
} from '#projections/engine/tables.ts';

/** How many indexes are built at a time; each build has helpers in the server. */
const connections = 3;
const setup = `set synchronous_commit = off; set maintenance_work_mem = '128MB'`;

/** Gives filled tables their primary keys and indexes, and the planner its statistics. */
export async function indexTables(
  connection: pg.ClientConfig,
  tables: Tables,
  { isKeyed }: { isKeyed: boolean },
): Promise<void> {
  const all = [...tables.values()];
  const builds = all.flatMap((table) => [
    ...(isKeyed ? [] : [createKeyIndexSql(table)]),
    ...createIndexesSql(table),
  ]);
  await runAll(connection, builds);
  await runAll(
    connection,
    all.map((table) => `${adoptKeyIndexSql(table)}; analyze ${qualified(table.name)}`),
  );
}

async function runAll(connection: pg.ClientConfig, statements: readonly string[]): Promise<void> {
  const left = statements.values();
  await onConnections(connection, Math.min(connections, statements.length), setup, async (client) => {
    for (const statement of left) await client.query(statement);
  });
}
