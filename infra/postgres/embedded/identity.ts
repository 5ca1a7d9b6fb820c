import { readFile, stat } from 'node:fs/promises';
import { errno } from '#src/errno.ts';
import { StartupError } from '#src/startupError.ts';

/** The user and group that a program runs as. */
export type Identity = { uid: number; gid: number };

/**
 * Postgres refuses to run as root. A number without a name is nobody else's: no login, service or sandbox
 * shares it. Below 65,536, because a container often has no numbers beyond.
 */
const unprivileged: Identity = { uid: 54_320, gid: 54_320 };

/**
 * Who runs Postgres: undefined for ourselves; when we are root, the owner of the existing cluster, else a
 * number of our own.
 * @throws StartupError when the cluster belongs to somebody that we cannot become
 */
export async function serverIdentity(cluster: string): Promise<Identity | undefined> {
  const own = process.getuid?.();
  if (own === undefined) {
    throw new StartupError(`the embedded PostgreSQL does not run on ${process.platform}`);
  }
  const owner = await ownerOf(cluster);
  if (own !== 0) {
    if (owner === undefined || owner.uid === own) return undefined;
    throw new StartupError(`${cluster} belongs to user ${owner.uid}: start Holdfast as this user`);
  }
  if (process.platform !== 'linux') {
    throw new StartupError('the embedded PostgreSQL cannot be started by root here: use an ordinary user');
  }
  return owner === undefined || owner.uid === 0 ? unprivileged : owner;
}

/**
 * Who runs `initdb`, which insists on a user with a name: `nobody`, but in the server's own group, so that
 * other programs of `nobody` have no hold on it.
 */
export async function initdbIdentity(server: Identity): Promise<Identity> {
  const users = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid]) => ({ name, uid: Number(uid) }));
  const named =
    users.find((user) => user.uid === server.uid) ??
    users.find((user) => user.name === 'nobody') ??
    users.find((user) => user.uid > 0);
  if (named === undefined) throw new StartupError('/etc/passwd names no user but root to run initdb as');
  return { uid: named.uid, gid: server.gid };
}

async function ownerOf(path: string): Promise<Identity | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    throw error;
  }
}
