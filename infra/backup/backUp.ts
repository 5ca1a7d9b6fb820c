import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type pg from 'pg';
import { sequencesOf } from '#infra/backup/contents.ts';
import { copyDirectory } from '#infra/backup/copyDirectory.ts';
import type { SourceDirectory } from '#infra/backup/copyDirectory.ts';
import { copyTables } from '#infra/backup/copyTables.ts';
import type { OnProgress } from '#infra/backup/copyTables.ts';
import { syncDirectory, writeDurably } from '#infra/backup/durableFiles.ts';
import { format, manifestIn } from '#infra/backup/manifest.ts';
import type { BackupContents, CopiedDirectory } from '#infra/backup/manifest.ts';
import { BackupRefused } from '#infra/backup/refused.ts';
import { sealed } from '#infra/backup/seal.ts';
import { openSnapshot } from '#infra/backup/snapshot.ts';
import { fileSystemReason, refusedPath } from '#infra/files/fileSystemReason.ts';
import { makeDirectories } from '#infra/files/makeDirectories.ts';
import { migrationsTable } from '#infra/postgres/migrationsTable.ts';
import { ifThere } from '#infra/storage/files/places.ts';
import type { KeyProvider } from '#ports/keyProvider.ts';
import { errno } from '#src/errno.ts';

export type BackupSettings = {
  /** Of the owner. */
  connection: pg.ClientConfig;
  keyProvider: KeyProvider;
  environment: string;
  /** Where the heads of the audit log lie, and where uploaded files. */
  auditAnchors: SourceDirectory;
  objects: SourceDirectory;
  onProgress: OnProgress;
};

/**
 * Copies all that a restore needs but the root key, as of one moment, beside the running service. The directory gets
 * its name when everything in it is on disk; what breaks off before that leaves nothing of this name.
 * @throws BackupRefused when the target is there already, or a file system has no room for it or refuses
 */
export async function backUp(settings: BackupSettings, target: string): Promise<BackupContents> {
  const place = resolve(target);
  try {
    return await writeTo(place, settings);
  } catch (error) {
    const reason = fileSystemReason(error);
    if (reason === undefined) throw error;
    const path = refusedPath(error);
    const where = path === undefined || path.startsWith(place) ? '' : ` (${path})`;
    throw new BackupRefused(`the backup ${place} cannot be made: ${reason}${where}`, { cause: error });
  }
}

async function writeTo(place: string, settings: BackupSettings): Promise<BackupContents> {
  await requireFree(place);
  const unfinished = join(dirname(place), `${basename(place)}.unfinished-${randomUUID()}`);
  await makeDirectories(unfinished, 0o700);
  try {
    const contents = await copyAll(settings, unfinished);
    const manifest = await sealed(contents, settings.keyProvider);
    await syncDirectories(unfinished, contents);
    await writeDurably(manifestIn(unfinished), [`${JSON.stringify(manifest, undefined, 2)}\n`]);
    await syncDirectory(unfinished);
    await publish(unfinished, place);
    return contents;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function requireFree(place: string): Promise<void> {
  const content = await readdir(place).catch(async (error: unknown): Promise<string[]> => {
    if (errno(error) === 'ENOENT') return [];
    if (await isFile(place)) throw new BackupRefused(`${place} is a file`);
    throw error;
  });
  if (content.length > 0) throw alreadyThere(place);
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() ?? false;

const alreadyThere = (place: string): BackupRefused =>
  new BackupRefused(`${place} is there already, and a backup replaces nothing: name a new directory`);

/** In place of an empty directory, or of none; never of another backup. */
async function publish(unfinished: string, place: string): Promise<void> {
  try {
    await rename(unfinished, place);
  } catch (error) {
    if (errno(error) === 'ENOTEMPTY' || errno(error) === 'EEXIST') throw alreadyThere(place);
    throw error;
  }
  await syncDirectory(dirname(place));
}

async function copyAll(settings: BackupSettings, directory: string): Promise<BackupContents> {
  const { connection, environment, auditAnchors, objects, onProgress } = settings;
  let heads: CopiedDirectory | undefined;
  const snapshot = await openSnapshot(connection, async () => {
    await rm(join(directory, auditAnchors.name), { recursive: true, force: true });
    await rm(join(directory, `${auditAnchors.name}.list`), { force: true });
    const writers = new Set<string>();
    heads = await copyDirectory(auditAnchors, directory, (path) => writers.add(path.replace(/\.head$/, '')));
    return writers;
  });
  try {
    const { client } = snapshot;
    const madeAt = new Date();
    const described = await describe(client);
    const tables = await copyTables(client, directory, onProgress);
    const sequences = await sequencesOf(client);
    // After the snapshot: every file that a row of it speaks of was there before, unless its time is over.
    const files = await copyDirectory(objects, directory, (path) => {
      onProgress(path, 0);
    });
    const directories = heads === undefined ? [files] : [heads, files];
    return {
      format,
      id: randomUUID(),
      made_at: madeAt.toISOString(),
      environment,
      ...described,
      tables,
      sequences,
      directories,
    };
  } finally {
    await snapshot.close();
  }
}

type Described = Pick<BackupContents, 'root_keys' | 'log' | 'schema'>;

async function describe(client: pg.Client): Promise<Described> {
  const { rows } = await client.query<{
    root_keys: string[];
    log_id: string;
    head: string | null;
    schema: string[];
  }>(`
    select
      array(select root_key from vault.root_key_check
        union select root_key from vault.system_keys union select root_key from vault.tenant_keys) as root_keys,
      (select id from event_log.identity) as log_id,
      (select max(position)::text from event_log.events) as head,
      array(select name::text from ${migrationsTable} order by id) as schema`);
  const [row] = rows;
  if (row === undefined) throw new Error('the database does not say what it holds');
  return { root_keys: row.root_keys, log: { id: row.log_id, head: row.head }, schema: row.schema };
}

/** Makes the names of all copied files durable. */
async function syncDirectories(backup: string, { directories }: BackupContents): Promise<void> {
  const roots = ['tables', ...directories.map(({ name }) => name)].map((name) => join(backup, name));
  for (const root of roots) {
    const below = await ifThere(readdir(root, { recursive: true, withFileTypes: true }));
    const paths = (below ?? [])
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const path of below === undefined ? [] : [root, ...paths]) await syncDirectory(path);
  }
}
