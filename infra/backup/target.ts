import type pg from 'pg';
import { BackupRefused } from '#infra/backup/refused.ts';
import { tableName } from '#infra/postgres/migrationsTable.ts';

/** Everything of ours lies in these, and in the tables by which migrations know what they did. */
const schemas = ['event_log', 'vault', 'audit', 'work', 'read_models', 'graphile_worker'];
const tables = [tableName, `${tableName}_lock`];

/** There from the beginning of a restore to its end: nothing starts on a half of one. */
export const mark = 'public.holdfast_restore';

type Queryable = Pick<pg.ClientBase, 'query'>;

/**
 * Marks an empty database as one that is being filled. What an earlier restore left that did not end is thrown away.
 * @throws BackupRefused when it holds anything else, ours or not
 */
export async function claimDatabase(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ marked: boolean; held: string[] }>(
    `select to_regclass($1) is not null as marked, array(
       select nspname::text from pg_namespace where nspname = any($2)
       union all select name from unnest($3::text[]) name where to_regclass('public.' || name) is not null
     ) as held`,
    [mark, schemas, tables],
  );
  const [row] = rows;
  if (row?.marked !== true && row?.held.length !== 0) {
    throw new BackupRefused(
      'the database is in use by Holdfast already: restore into a data directory, or a database, that is empty',
    );
  }
  await requireNothingElse(client);
  for (const schema of schemas) await client.query(`drop schema if exists ${schema} cascade`);
  for (const table of tables) await client.query(`drop table if exists public.${table}`);
  await client.query(`create table if not exists ${mark} (started_at timestamptz not null default now())`);
}

/** What came with an extension, such as statistics that the server's provider wants everywhere, is nobody's data. */
async function requireNothingElse(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and c.relpersistence <> 't'
       and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all($1)
       and not (n.nspname = 'public' and c.relname ~ '^holdfast_(restore|migrations)')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by c.relkind = 'S', 1 limit 1`,
    [schemas],
  );
  const [found] = rows;
  if (found === undefined) return;
  throw new BackupRefused(`the database is not empty: it holds ${found.name}; restore into one that is`);
}
