import type pg from 'pg';
import { BackupRefused } from '#infra/backup/refused.ts';

/** Everything of ours lies in these, and in the tables by which migrations know what they did. */
const schemas = ['event_log', 'vault', 'audit', 'work', 'read_models', 'graphile_worker'];
const tables = ['holdfast_migrations', 'holdfast_migrations_lock'];

/** There from the beginning of a restore to its end: nothing starts on a half of one. */
export const mark = 'public.holdfast_restore';

type Queryable = Pick<pg.ClientBase, 'query'>;

/**
 * Marks an empty database as one that is being filled. What an earlier restore left that did not end is thrown away.
 * @throws BackupRefused when it holds anything else of ours
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
  for (const schema of schemas) await client.query(`drop schema if exists ${schema} cascade`);
  for (const table of tables) await client.query(`drop table if exists public.${table}`);
  await client.query(`create table if not exists ${mark} (started_at timestamptz not null default now())`);
}
