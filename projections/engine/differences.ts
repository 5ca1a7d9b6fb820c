import type { Queryable } from '#projections/engine/session.ts';
import type { Table } from '#projections/engine/tables.ts';
import { qualified, quoted, quotedList } from '#projections/engine/tables.ts';

/** So many rows that differ are named. */
const mostNamed = 20;

/**
 * The keys of rows that two tables of the same columns do not share, of which one may go on changing meanwhile: what it
 * was changed by since may be among them.
 */
export async function differencesOf(client: Queryable, live: Table, expected: Table): Promise<string[]> {
  const key = quotedList(live.definition.key);
  const columns = quotedList(live.columns.map(({ name }) => name));
  const rowsOf = ({ name }: Table): string =>
    `select ${key}, row(${columns})::text as content from ${qualified(name)}`;
  const named = live.definition.key.map((column) => `${quoted(column)}::text`).join(', ');
  const { rows } = await client.query<{ key: string }>(
    `select distinct concat_ws(' ', ${named}) as key from (
       (${rowsOf(live)} except ${rowsOf(expected)}) union all (${rowsOf(expected)} except ${rowsOf(live)})
     ) as different order by 1 limit ${mostNamed}`,
  );
  return rows.map((row) => row.key);
}
