import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ClientConfig } from 'pg';
import pg from 'pg';
import { startEmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

/** A migrated database in every cluster that was copied from the prepared one. */
export const templateName = 'test_template';

/** What a throwaway server leaves out: nothing has to outlive a crash. */
export const throwawaySettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '500',
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'holdfast');

/** All that decides what a new cluster and a migrated database hold. */
const sources = ['infra/postgres'];

/**
 * Puts a cluster with a migrated template into a data directory that has none: a copy of one that is made once
 * for each version of the migrations, which saves the seconds of initdb. Where nothing can be kept, nothing is put.
 */
export async function putPreparedCluster(dataDirectory: string): Promise<boolean> {
  try {
    const prepared = await findOrPrepare();
    await copyDirectory(prepared, join(dataDirectory, 'postgres'));
    return true;
  } catch {
    await rm(join(dataDirectory, 'postgres'), { recursive: true, force: true });
    return false;
  }
}

/** Copies with owners and rights, which Postgres looks at. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}

/** Makes a migrated database that test databases are copied from. */
export async function createTemplate(connection: ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`create database ${templateName}`);
  } finally {
    await client.end();
  }
  await migrate({ ...connection, database: templateName });
}

async function findOrPrepare(): Promise<string> {
  const path = join(cache, `cluster-${await fingerprint()}`);
  if (await exists(path)) return path;
  await mkdir(cache, { recursive: true });
  await removeOlder(path);
  const workshop = await mkdtemp(join(cache, 'making-'));
  try {
    await chmod(workshop, 0o755);
    const postgres = await startEmbeddedPostgres({
      dataDirectory: workshop,
      logger: silentLogger,
      settings: throwawaySettings,
    });
    try {
      await createTemplate(postgres.administrator);
    } finally {
      await postgres.stop();
    }
    // Another process may have been quicker; its copy is as good.
    await rename(join(workshop, 'postgres'), path).catch(async (error: unknown) => {
      if (!(await exists(path))) throw error;
    });
  } finally {
    await rm(workshop, { recursive: true, force: true, maxRetries: 5 });
  }
  return path;
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    const names = await readdir(join(root, source), { recursive: true });
    for (const name of names.filter((each) => each.endsWith('.ts')).sort()) {
      hash.update(name).update(await readFile(join(root, source, name)));
    }
  }
  const versions = createRequire(import.meta.url)(join(root, 'package.json')) as object;
  return hash.update(JSON.stringify(versions)).update(String(process.getuid?.())).digest('hex').slice(0, 16);
}

/** Of older migrations; what others are making at this moment stays. */
async function removeOlder(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith('cluster-')) await rm(join(cache, name), { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
