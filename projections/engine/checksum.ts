import type { Queryable } from '#projections/engine/session.ts';
import type { Table } from '#projections/engine/tables.ts';
import { qualified, quotedList } from '#projections/engine/tables.ts';

export type Checksum = { rows: number; sum: string };

/** A sum over all rows that does not depend on their order; the same in every session. */
export async function checksumOf(client: Queryable, table: Table): Promise<Checksum> {
  const columns = quotedList(table.columns.map(({ name }) => name));
  const { rows } = await client.query<{ rows: string; sum: string }>(
    `select count(*)::text as rows, coalesce(sum(hashtextextended(row(${columns})::text, 0)), 0)::text as sum
     from ${qualified(table.name)}`,
  );
  const [found] = rows;
  return { rows: Number(found?.rows ?? 0), sum: found?.sum ?? '0' };
}

/** The text of times and bytes depends on these settings of a session. */
export const checksumSettings = `set local timezone = 'UTC'; set local bytea_output = 'hex'; set local datestyle = 'ISO'`;
