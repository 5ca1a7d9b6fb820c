import { readFile, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { DataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import { DataDirectoryInUse } from '#infra/postgres/embedded/dataDirectoryInUse.ts';
import { errno } from '#src/errno.ts';
import { isAlive } from '#infra/postgres/embedded/processes.ts';
import { waitUntil } from '#infra/postgres/embedded/waitUntil.ts';
import { writeAtomically } from '#infra/files/writeAtomically.ts';

/** A `command` works beside no server and ends soon; a `service` may be joined by commands. */
export type Purpose = 'service' | 'command';

export type Owner = { pid: number; purpose: Purpose };

export type Ownership = { release(): Promise<void> };

/** How long a start waits for the lock of an owner that is just dying, in milliseconds. */
const patience = 5_000;

/** SQLITE_BUSY: another connection holds the lock. */
const busy = 5;

// A database that nobody refers to is closed by the garbage collector, and its lock would go with it.
const held = new Set<DatabaseSync>();

/**
 * Makes this process the only owner of the data directory until it releases it or ends in any way.
 * The lock is the kernel's (through an empty SQLite database, the one file lock that Node reaches): no crash
 * leaves it behind, two starts on an empty directory cannot both win, and it holds across containers of
 * one machine that share the directory, where process ids say nothing.
 * @throws DataDirectoryInUse
 */
export async function ownDataDirectory(directory: DataDirectory, purpose: Purpose): Promise<Ownership> {
  const lock = await takeLock(directory);
  const owner: Owner = { pid: process.pid, purpose };
  await writeAtomically(directory.owner, `${JSON.stringify(owner)}\n`);
  return {
    release: async () => {
      if (!held.delete(lock)) return;
      await rm(directory.owner, { force: true });
      lock.close();
    },
  };
}

/** Who owns the data directory according to its note; the owner may have died since. */
export async function readOwner(directory: DataDirectory): Promise<Owner | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(directory.owner, 'utf8'));
    if (typeof content !== 'object' || content === null || !('pid' in content)) return undefined;
    if (typeof content.pid !== 'number') return undefined;
    const purpose = 'purpose' in content && content.purpose === 'command' ? 'command' : 'service';
    return { pid: content.pid, purpose };
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function takeLock(directory: DataDirectory): Promise<DatabaseSync> {
  let lock: DatabaseSync | undefined;
  let owner: Owner | undefined;
  // A winner writes its note a moment after it has the lock: until then the note is missing or a dead one's.
  await waitUntil(async () => {
    lock = tryLock(directory.lock);
    if (lock !== undefined) return true;
    owner = await readOwner(directory);
    return owner !== undefined && isAlive(owner.pid);
  }, patience);
  if (lock === undefined) throw new DataDirectoryInUse(directory.path, owner?.pid);
  held.add(lock);
  return lock;
}

function tryLock(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('pragma journal_mode = memory');
    database.exec('begin exclusive');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined;
    throw error;
  }
}
