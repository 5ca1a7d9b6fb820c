import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ordinaryUser } from '#test/support/embedded/helpers.ts';
import { freePort } from '#test/support/freePort.ts';
import { until } from '#test/support/until.ts';

const places = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];

/** Where PgBouncer is installed; undefined: nowhere. */
export const pgbouncer = places.find((path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

export type Pooler = { through(url: string): string; stop(): Promise<void> };

/** A pooler in session mode before a server, for users with these URLs, and with as few settings as there can be. */
export async function startPgBouncer(program: string, urls: readonly string[]): Promise<Pooler> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  const port = await freePort();
  const [first = ''] = urls;
  const users = urls.map((url) => new URL(url)).map((url) => `"${url.username}" "${url.password}"`);
  await writeFile(join(directory, 'users.txt'), `${users.join('\n')}\n`);
  const settings = join(directory, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]
* = host=127.0.0.1 port=${new URL(first).port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(directory, 'users.txt')}
pool_mode = session
default_pool_size = 100
`,
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(directory, ordinaryUser, ordinaryUser);
  const child = spawn(program, [settings], {
    stdio: 'ignore',
    ...(isRoot ? { uid: ordinaryUser, gid: ordinaryUser } : {}),
  });
  const ended = once(child, 'exit');
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.destroy();
          resolve(true);
        });
        socket.on('error', () => {
          resolve(false);
        });
      }),
  );
  return {
    through: (text) => {
      const url = new URL(text);
      url.port = String(port);
      return url.href;
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
