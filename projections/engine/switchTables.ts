import type { Queryable } from '#projections/engine/session.ts';
import type { Table, Tables } from '#projections/engine/tables.ts';
import { dropTableSql, liveTables, qualified, quoted, quotedList } from '#projections/engine/tables.ts';
import type { Projection } from '#projections/projection.ts';

/**
 * Puts shadow tables in the place of the live ones and points the stable names at them, within the caller's
 * transaction; the tables of every older version go.
 */
export async function switchTables(client: Queryable, projection: Projection, shadow: Tables): Promise<void> {
  const live = liveTables(projection);
  for (const [name, table] of shadow) {
    const target = live.get(name);
    if (target === undefined) throw new Error(`${projection.name} has no table ${name}`);
    // Readers lock the view first and the table next: the same order here avoids deadlocks.
    await client.query(`drop view if exists ${qualified(name)}`);
    await dropLiveVersions(client, name);
    await renameTable(client, table, target);
    await client.query(stableNameSql(target));
  }
}

async function dropLiveVersions(client: Queryable, name: string): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `select tablename as table from pg_tables
     where schemaname = 'read_models' and tablename ~ ('^' || $1 || '_v[0-9]+$')`,
    [name],
  );
  for (const { table } of rows) await client.query(dropTableSql(table));
}

/** Renames a table with its indexes, whose names begin with the table's. */
async function renameTable(client: Queryable, table: Table, target: Table): Promise<void> {
  const { rows } = await client.query<{ index: string }>(
    `select indexname as index from pg_indexes where schemaname = 'read_models' and tablename = $1`,
    [table.name],
  );
  await client.query(`alter table ${qualified(table.name)} rename to ${quoted(target.name)}`);
  for (const { index } of rows) {
    if (!index.startsWith(table.name)) continue;
    const renamed = target.name + index.slice(table.name.length);
    await client.query(`alter index ${qualified(index)} rename to ${quoted(renamed)}`);
  }
}

/** The name that queries use. It shows what its reader may see: the table's row-level security holds. */
function stableNameSql({ definition, name, columns }: Table): string {
  const view = qualified(definition.name);
  return `
    create view ${view} with (security_invoker = true) as
      select ${quotedList(columns.map((column) => column.name))} from ${qualified(name)};
    grant select on ${view} to holdfast_api;
  `;
}
