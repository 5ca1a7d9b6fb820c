import type pg from 'pg';

const pageSize = 5_000;

/** An entry as it is exported; times are ISO 8601. */
export type ExportedEntry = Record<(typeof exportedColumns)[number], string | number>;

export const exportedColumns = [
  'occurred_at',
  'tenant_id',
  'actor_type',
  'actor_id',
  'key_id',
  'operation',
  'entity_type',
  'entity_id',
  'outcome',
  'status',
  'detail',
  'address',
  'trace_id',
  'event_id',
  'event_digest',
  'writer_id',
  'sequence',
] as const;

export type EntryRange = { tenantId?: string | undefined; from?: Date | undefined; until?: Date | undefined };

type Row = Record<string, unknown> & { occurred_at: Date; writer_id: string; sequence: string };

/**
 * Pages of entries, tenant by tenant, each oldest first; those of nobody known come last.
 * @param database of the owner
 */
export async function* readEntries(
  database: Pick<pg.Pool, 'query'>,
  { tenantId, from, until }: EntryRange,
): AsyncGenerator<ExportedEntry[]> {
  for (const tenant of tenantId === undefined ? await tenants(database) : [tenantId]) {
    let last: Row | undefined;
    for (;;) {
      const place = [last?.occurred_at ?? null, last?.writer_id ?? null, last?.sequence ?? null];
      const { rows } = await database.query<Row>(
        `select ${exportedColumns.join(', ')} from audit.entries
         where ${tenant === null ? 'tenant_id is null and $1::uuid is null' : 'tenant_id = $1'}
           and ($2::timestamptz is null or occurred_at >= $2) and ($3::timestamptz is null or occurred_at < $3)
           and ($4::timestamptz is null or (occurred_at, writer_id, sequence) > ($4, $5::uuid, $6::int8))
         order by occurred_at, writer_id, sequence limit ${pageSize}`,
        [tenant, from ?? null, until ?? null, ...place],
      );
      last = rows.at(-1);
      if (last === undefined) break;
      yield rows.map(exported);
    }
  }
}

async function tenants(database: Pick<pg.Pool, 'query'>): Promise<(string | null)[]> {
  // A skip scan: one look-up a tenant, however many entries each has.
  const { rows } = await database.query<{ tenant_id: string }>(
    `with recursive known as (
       (select tenant_id from audit.entries where tenant_id is not null order by tenant_id limit 1)
       union all
       select (select e.tenant_id from audit.entries e where e.tenant_id > known.tenant_id
               order by e.tenant_id limit 1)
       from known where known.tenant_id is not null
     ) select tenant_id from known where tenant_id is not null`,
  );
  return [...rows.map((row) => row.tenant_id), null];
}

const exported = (row: Row): ExportedEntry =>
  Object.fromEntries(
    exportedColumns.map((name) => [name, name === 'sequence' ? Number(row[name]) : textOf(row[name])]),
  ) as ExportedEntry;

function textOf(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return value;
  return value instanceof Date ? value.toISOString() : String(value as string | number);
}
