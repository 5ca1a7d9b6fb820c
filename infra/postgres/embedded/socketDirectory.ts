import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Identity } from '#infra/postgres/embedded/identity.ts';
import { StartupError } from '#src/startupError.ts';

/** Not the runtime directory of the user's session: that one goes away when the user logs out. */
const parents = ['/tmp', tmpdir(), '/dev/shm'];

const prefix = 'holdfast-';

/** The operating system's limit is 104 bytes or more, the socket's own name included. */
const longest = 80;

/**
 * Makes a short new directory that only the server's user, and root, may enter. The data directory cannot
 * hold the socket: its path may be longer than a socket's may be. The name is random: nobody can have
 * prepared it.
 */
export async function makeSocketDirectory(identity: Identity | undefined): Promise<string> {
  for (const parent of parents) {
    const directory = await mkdtemp(join(parent, prefix)).catch(() => undefined);
    if (directory === undefined || directory.length > longest) continue;
    if (identity !== undefined) await chown(directory, identity.uid, identity.gid);
    return directory;
  }
  throw new StartupError(
    `no directory for the PostgreSQL socket: none of ${parents.join(', ')} can be written`,
  );
}

/** The rules by which the server lets clients in. They lie beside the socket, and are of this start alone. */
export const rulesIn = (socketDirectory: string): string => join(socketDirectory, 'pg_hba.conf');

/** Removes a directory that {@link makeSocketDirectory} made, and no other. */
export async function removeSocketDirectory(directory: string): Promise<void> {
  if (!basename(directory).startsWith(prefix)) return;
  await rm(directory, { recursive: true, force: true });
}
