import * as fs from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from '#infra/postgres/embedded/binaries.ts';
import type { DataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import { errno } from '#src/errno.ts';
import { initdbIdentity } from '#infra/postgres/embedded/identity.ts';
import type { Identity } from '#infra/postgres/embedded/identity.ts';
import { run } from '#infra/postgres/embedded/run.ts';
import type { Outcome } from '#infra/postgres/embedded/run.ts';
import { asParameters, tunable } from '#infra/postgres/embedded/settings.ts';
import { StartupError } from '#src/startupError.ts';

/** The superuser, who only makes roles, and the database that Holdfast works in. */
export const user = 'holdfast';
export const database = 'holdfast';

const unfinished = 'postgres.unfinished-';

/** Whether a data directory has a cluster; it need not exist. @throws the file system's error */
export async function hasCluster(dataDirectory: string): Promise<boolean> {
  try {
    await stat(join(dataDirectory, 'postgres', 'PG_VERSION'));
    return true;
  } catch (error) {
    if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/**
 * Makes the cluster of a data directory that has none. Only its owner may call this.
 * @throws StartupError when the cluster is of another major version, or cannot be made
 */
export async function ensureCluster(
  directory: DataDirectory,
  binaries: Binaries,
  identity: Identity | undefined,
): Promise<void> {
  await removeUnfinished(directory.path);
  const version = await clusterVersion(directory.cluster);
  if (version === undefined) return makeCluster(directory, binaries, identity);
  if (version === binaries.major) return;
  throw new StartupError(
    `${directory.cluster} was made by PostgreSQL ${version}, and this version of Holdfast runs PostgreSQL ${binaries.major}`,
  );
}

/**
 * How a process that runs as `identity`, and in the cluster, names the cluster. Under its real path the
 * cluster may lie in a directory that only root may enter; root puts the process into it all the same, and
 * this name leads there without passing through the directories above.
 */
export function clusterName(cluster: string, identity: Identity | undefined): string {
  return identity === undefined ? cluster : '/proc/self/cwd';
}

async function clusterVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
  }
  const content = await readdir(cluster).catch(() => []);
  if (content.length === 0) return undefined;
  throw new StartupError(`${cluster} holds files, but no PostgreSQL cluster`);
}

/** An initdb that was killed left a directory behind; its name is not the cluster's, so nothing is lost. */
async function removeUnfinished(path: string): Promise<void> {
  for (const name of await readdir(path)) {
    if (name.startsWith(unfinished)) {
      await rm(join(path, name), { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

async function makeCluster(
  directory: DataDirectory,
  binaries: Binaries,
  identity: Identity | undefined,
): Promise<void> {
  const target = fs.mkdtempSync(join(directory.path, unfinished));
  const initdbRunsAs = identity && (await initdbIdentity(identity));
  if (initdbRunsAs !== undefined) fs.chownSync(target, initdbRunsAs.uid, initdbRunsAs.gid);
  const parameters = initdbParameters(clusterName(target, identity));
  const outcome = await run(binaries.initdb, parameters, initdbRunsAs, target);
  if (outcome.failure !== undefined) {
    throw new StartupError(`the PostgreSQL cluster cannot be made: ${complaintOf(outcome)}`);
  }
  if (identity !== undefined) giveTo(identity, target);
  await rename(target, directory.cluster);
  await flushDirectory(directory.path);
}

/** What follows it, to the last line, is only about tidying up. */
function complaintOf({ complaint, failure }: Outcome): string | undefined {
  const lines = complaint.trim().split('\n');
  const first = lines.find((line) => /\b(error|FATAL|PANIC): /.test(line));
  return (first ?? lines.at(-1)) || failure;
}

function initdbParameters(target: string): string[] {
  return [
    '--pgdata',
    target,
    '--username',
    user,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    // Each start has rules of its own, which ask for passwords.
    '--auth-local=reject',
    '--auth-host=reject',
    '--no-instructions',
    ...asParameters(tunable),
  ];
}

function giveTo(identity: Identity, directory: string): void {
  fs.chownSync(directory, identity.uid, identity.gid);
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
    fs.lchownSync(join(entry.parentPath, entry.name), identity.uid, identity.gid);
  }
}

async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync();
  await directory.close();
}
