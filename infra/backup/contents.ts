import type pg from 'pg';

/** Schemas of which a backup has all tables but those below. `read_models` is made anew from the log. */
const schemas = ['event_log', 'vault', 'audit', 'work', 'graphile_worker'];

/**
 * What a copy would keep too long, or what says nothing after a restore. Unlogged tables (the keys of card
 * verification codes) are left out of themselves: what Postgres keeps out of its copies stays out of ours.
 */
const leftOut = new Set([
  // Card verification codes: no copy may outlive their hour.
  'vault.short_lived_parts',
  // Processes and leases of the moment.
  'vault.key_processes',
  'work.fingerprint_claims',
  // How far views have come that are made anew.
  'work.projection_checkpoints',
  'work.projection_unknown_types',
  // The queue's own, made with its tables.
  'graphile_worker.migrations',
]);

const filters: Readonly<Record<string, string>> = {
  // Answers that may hold what was revealed are kept for an hour, and no copy may outlive that.
  'vault.payloads': `expires_at is null or expires_at > created_at + interval '1 hour'`,
  // What parks is found out anew; what an operator left out for good stays out.
  'work.projection_failures': `status = 'skipped'`,
};

/** A table of the backup: its columns in the order in which rows have them. */
export type TableContents = { name: string; columns: string[]; filter: string | undefined };

export type SequenceValue = { name: string; value: string };

type Queryable = Pick<pg.ClientBase, 'query'>;

/** What a backup of this database holds, the log first. */
export async function contentsOf(client: Queryable): Promise<TableContents[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select n.nspname || '.' || c.relname as name, array(
       select a.attname::text from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
     order by array_position($1, n.nspname::text), c.relname`,
    [schemas],
  );
  return rows
    .filter(({ name }) => !leftOut.has(name))
    .map(({ name, columns }) => ({ name, columns, filter: filters[name] }));
}

/** Numbers that have been given out; to be asked after the snapshot was taken, so that none is given out twice. */
export async function sequencesOf(client: Queryable): Promise<SequenceValue[]> {
  const { rows } = await client.query<SequenceValue>(
    `select schemaname || '.' || sequencename as name, last_value::text as value
     from pg_sequences where schemaname = any($1) and last_value is not null order by 1`,
    [schemas],
  );
  return rows;
}

/** `schema.table` as SQL has it. */
export const quotedName = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');

export const quotedColumns = (columns: readonly string[]): string => columns.map(quotedName).join(', ');
