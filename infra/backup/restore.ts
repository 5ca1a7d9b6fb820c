import pg from 'pg';
import { loadTables } from '#infra/backup/loadTables.ts';
import type { OnProgress } from '#infra/backup/copyTables.ts';
import type { BackupContents } from '#infra/backup/manifest.ts';
import { BackupRefused } from '#infra/backup/refused.ts';
import { restoreDirectory } from '#infra/backup/restoreDirectory.ts';
import { claimDatabase, mark } from '#infra/backup/target.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import { migrations } from '#infra/postgres/migrations/index.ts';
import type { Migration } from '#infra/postgres/migrations/migration.ts';

export type RestoreSettings = {
  backup: string;
  /** Read from there, and found to be sealed. */
  contents: BackupContents;
  /** An empty database, of whose owner this is. */
  connection: pg.ClientConfig;
  /** Where copied directories go, by their name. */
  directories: Readonly<Record<string, string>>;
  onProgress: OnProgress;
};

/**
 * Fills an empty database from a backup, in the schema of its time, and brings that to this version. Until everything
 * is there the database is marked, and nothing starts on it.
 * @throws BackupRefused when the target is not empty, or a file is not as it was written
 */
export async function restore(settings: RestoreSettings): Promise<void> {
  const { backup, contents, connection, directories, onProgress } = settings;
  const steps = stepsOf(contents);
  const client = new pg.Client({ ...connection, keepAlive: true, application_name: 'holdfast restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await claimDatabase(client);
    await migrate(connection, { steps, isRestoring: true });
    for (const copied of contents.directories) {
      const target = directories[copied.name];
      if (target !== undefined) await restoreDirectory(backup, copied, target);
    }
    await client.query('begin');
    await loadTables(client, backup, contents, onProgress);
    await client.query(`drop table ${mark}`);
    await client.query('commit');
    await client.query('analyze');
  } finally {
    await client.end();
  }
  await migrate(connection);
}

/** @throws BackupRefused when it was made by a later version */
function stepsOf({ schema }: BackupContents): Migration[] {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = schema.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new BackupRefused(
      `the backup was made by a later version of Holdfast: it holds the migration ${unknown}, which this one does not know`,
    );
  }
  return migrations.filter(({ name }) => schema.includes(name));
}
