import { randomBytes } from 'node:crypto';
import { chownSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { locateBinaries } from '#infra/postgres/embedded/binaries.ts';
import { initdbIdentity, serverIdentity } from '#infra/postgres/embedded/identity.ts';
import { endPostmaster } from '#infra/postgres/embedded/processes.ts';
import { run } from '#infra/postgres/embedded/run.ts';
import { launchServer } from '#infra/postgres/embedded/server.ts';
import type { Server } from '#infra/postgres/embedded/server.ts';
import { Watchdog } from '#infra/postgres/embedded/watchdog.ts';
import { makeCertificate } from '#test/outbound/support/certificates.ts';
import { freePort } from '#test/support/freePort.ts';
import { throwawaySettings } from '#test/support/preparedCluster.ts';
import { until } from '#test/support/until.ts';

/** A PostgreSQL that we did not set up: by TCP, by password, and nobody but its administrator may do all. */
export type ForeignCluster = {
  port: number;
  /** The certificate of whoever signed the server's. */
  authority: string;
  /** A URL of a user, with a random password that is his. */
  urlOf(user: string, database?: string): string;
  /** Statements of the administrator. */
  administer(statements: string, database?: string): Promise<Record<string, unknown>[]>;
  /** A user who may do nothing yet, and a database that is his. */
  makeOwner(user: string, attributes?: string): Promise<string>;
  /** The server dies, and another process takes its place. */
  failOver(): Promise<void>;
  /** Ends the connections to databases, and drops them, the users that were made, and the roles of Holdfast. */
  clear(): Promise<void>;
  stop(): Promise<void>;
};

const administrator = 'postgres';

export async function startForeignCluster(): Promise<ForeignCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  await chmod(directory, 0o755);
  const cluster = join(directory, 'cluster');
  const identity = await serverIdentity(cluster);
  const binaries = await locateBinaries(identity, directory);
  await mkdir(cluster, { mode: 0o700 });
  const maker = identity && (await initdbIdentity(identity));
  if (maker !== undefined) chownSync(cluster, maker.uid, maker.gid);
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(directory, 'password');
  await writeFile(passwordFile, `${password}\n`);
  const made = await run(
    binaries.initdb,
    [
      '-D',
      cluster,
      '-U',
      administrator,
      '-A',
      'scram-sha-256',
      '--pwfile',
      passwordFile,
      '--locale=C',
      '-E',
      'UTF8',
      '-N',
    ],
    maker,
  );
  if (made.failure !== undefined) throw new Error(made.complaint);
  const authority = makeCertificate({ hosts: [], authority: true });
  const own = makeCertificate({ hosts: ['localhost'], issuer: authority });
  await writeFile(join(cluster, 'server.crt'), own.certificate);
  await writeFile(join(cluster, 'server.key'), own.key, { mode: 0o600 });
  await writeFile(join(directory, 'authority.pem'), authority.certificate);
  await writeFile(join(cluster, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
  await appendFile(
    join(cluster, 'postgresql.conf'),
    "ssl = on\nscram_iterations = 100\nunix_socket_directories = ''\n",
  );
  if (identity !== undefined) await run('/bin/chown', ['-R', `${identity.uid}:${identity.gid}`, cluster]);
  const port = await freePort();
  const passwords = new Map([[administrator, password]]);
  const urlOf = (user: string, database = user): string => {
    const word = passwords.get(user) ?? randomBytes(12).toString('hex');
    passwords.set(user, word);
    return `postgres://${user}:${word}@127.0.0.1:${port}/${database}`;
  };
  const administer: ForeignCluster['administer'] = async (statements, database = 'postgres') => {
    const client = new pg.Client({ connectionString: urlOf(administrator, database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const results: unknown = await client.query(statements);
      return ([results].flat().at(-1) as pg.QueryResult).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  const watchdog = new Watchdog(directory, identity);
  let server: Server;
  const launch = async (): Promise<void> => {
    server = launchServer({
      program: binaries.postgres,
      cluster,
      log: join(directory, 'log'),
      identity,
      // It is killed, and what was acknowledged must be there.
      settings: {
        ...throwawaySettings,
        synchronous_commit: 'on',
        listen_addresses: '127.0.0.1',
        port: String(port),
      },
    });
    watchdog.watch(server.pid);
    await until(
      () =>
        administer('select 1').then(
          () => true,
          () => server.hasExited(),
        ),
      60_000,
    );
    if (server.hasExited()) throw new Error(server.lastWords());
  };
  const end = (): Promise<void> => endPostmaster(server.pid ?? 0, () => server.hasExited());
  await launch();
  return {
    port,
    authority: join(directory, 'authority.pem'),
    urlOf,
    administer,
    makeOwner: async (user, attributes = '') => {
      const url = urlOf(user);
      await administer(`create role ${user} login ${attributes} password '${new URL(url).password}'`);
      await administer(`create database ${user} owner ${user}`);
      return url;
    },
    failOver: async () => {
      process.kill(server.pid ?? 0, 'SIGKILL');
      await until(() => server.hasExited());
      await launch();
    },
    clear: async () => {
      const users = [...passwords.keys()].filter((user) => user !== administrator);
      for (const user of users) await administer(`drop database if exists ${user} with (force)`);
      // A user who granted a role is needed for as long as that is there.
      for (const name of ['api', 'vault', 'log']) await administer(`drop role if exists holdfast_${name}`);
      for (const user of users) await administer(`drop role if exists ${user}`);
    },
    stop: async () => {
      await end();
      watchdog.dismiss();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
