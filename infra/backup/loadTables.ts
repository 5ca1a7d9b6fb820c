import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { checkFile, checkedContent } from '#infra/backup/checkedFiles.ts';
import { quotedColumns, quotedName } from '#infra/backup/contents.ts';
import type { BackupContents, TableFile } from '#infra/backup/manifest.ts';
import type { OnProgress } from '#infra/backup/copyTables.ts';
import { BackupRefused } from '#infra/backup/refused.ts';

/**
 * Fills tables that hold nothing but what their migrations put there, in the transaction of the client.
 * @throws BackupRefused when a file is not as it was written
 */
export async function loadTables(
  client: pg.Client,
  backup: string,
  { tables, sequences }: BackupContents,
  onProgress: OnProgress,
): Promise<void> {
  let total = 0;
  for (const table of tables) {
    await requireColumns(client, table);
    // The first rows of some tables are made by their migrations; the log must be empty, and cannot be emptied.
    if (table.name !== 'event_log.events') await client.query(`delete from ${quotedName(table.name)}`);
    const loaded = await load(client, backup, table, (count) => {
      total += count;
      onProgress(table.name, total);
    });
    if (loaded !== table.rows) {
      throw new BackupRefused(`${table.name} has ${table.rows} rows, of which ${loaded} were loaded`);
    }
  }
  for (const { name, value } of sequences) {
    await client.query('select setval($1::regclass, $2)', [quotedName(name), value]);
  }
}

async function load(
  client: pg.Client,
  backup: string,
  table: TableFile,
  onBytes: (count: number) => void,
): Promise<number> {
  const { name, columns } = table;
  const rows = client.query(copyFrom(`copy ${quotedName(name)} (${quotedColumns(columns)}) from stdin`));
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of checkedContent(backup, table)) {
      onBytes(piece.length);
      yield piece;
    }
  }
  try {
    await pipeline(counted(), rows);
  } catch (error) {
    // The database may refuse what is in a changed file before its end shows that it was changed.
    await checkFile(backup, table);
    throw error;
  }
  return rows.rowCount;
}

/** The queue's tables are made by its library, which may have changed them since. */
async function requireColumns(client: pg.Client, { name, columns }: TableFile): Promise<void> {
  const { rows } = await client.query<{ missing: string | null }>(
    `select case when to_regclass($1) is null then '' else (
       select string_agg(wanted, ', ') from unnest($2::text[]) wanted
       where not exists (select from pg_attribute a where a.attrelid = to_regclass($1) and a.attname = wanted)
     ) end as missing`,
    [quotedName(name), columns],
  );
  const missing = rows[0]?.missing ?? undefined;
  if (missing === undefined) return;
  const what = missing === '' ? `a table ${name}` : `${missing} in the table ${name}`;
  throw new BackupRefused(`the backup has ${what}, and this version of Holdfast has none`);
}
