import { readFile, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresProcesses } from '#infra/postgres/embedded/processes.ts';
import { startEmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import type { EmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import { ask, askPatiently, eventually, isRoot, temporaryDirectory } from '#test/support/embedded/helpers.ts';
import type { TemporaryDirectory } from '#test/support/embedded/helpers.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

const embedded = suite('embedded Postgres');

let home: TemporaryDirectory;
let dataDirectory: string;
let postgres: EmbeddedPostgres;

embedded.before(async () => {
  // Only its owner may enter `home`: as root this is the case of a checkout in root's own directory.
  home = await temporaryDirectory();
  dataDirectory = join(home.path, 'data');
  postgres = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger });
});

embedded.after(async () => {
  await postgres.stop();
  await home.remove();
});

const running = (): Promise<number[]> =>
  postgresProcesses(join(dataDirectory, 'postgres'), postgres.pid ?? 0);

function killPostmaster(): void {
  if (postgres.pid === undefined) throw new Error('Postgres is not running');
  process.kill(postgres.pid, 'SIGKILL');
}

embedded('given an empty data directory, when started, then it is a durable UTF-8 cluster', async () => {
  const settings = await ask(
    postgres.connection,
    `select jsonb_object_agg(name, setting) from pg_settings
     where name in ('server_encoding', 'data_checksums', 'fsync', 'synchronous_commit', 'listen_addresses')`,
  );
  assert.equal(settings, {
    server_encoding: 'UTF8',
    data_checksums: 'on',
    fsync: 'on',
    synchronous_commit: 'on',
    listen_addresses: '',
  });
  assert.is(await ask(postgres.connection, 'select current_database()'), 'holdfast');
  assert.is(await ask(postgres.connection, `select 'É' ilike 'é'`), true);
});

embedded('given a running server, when others look, then only its user can enter the socket', async () => {
  const directory = await stat(String(postgres.connection.host));
  assert.is(directory.mode & 0o777, 0o700);
  const cluster = await stat(join(dataDirectory, 'postgres'));
  assert.is(directory.uid, cluster.uid);
  assert.is(cluster.uid === 0, false);
  assert.is((await stat(dataDirectory)).mode & 0o777, 0o700);
});

embedded('given a failing statement, when it quotes a value, then the log does not', async () => {
  await ask(postgres.connection, `select '4242424242424242x'::int8`).catch(() => undefined);
  const log = await readFile(join(dataDirectory, 'postgres.log'), 'utf8');
  assert.match(log, 'ready to accept connections');
  assert.not.match(log, '4242');
});

embedded(
  'given data, when the postmaster is killed, then it is back on the same socket with it',
  async () => {
    await ask(postgres.connection, 'create table kept (value int)');
    await ask(postgres.connection, 'insert into kept values (7)');
    for (let round = 0; round < 2; round += 1) {
      const killed = postgres.pid;
      killPostmaster();
      await eventually(() => postgres.pid !== undefined && postgres.pid !== killed);
      assert.is(await askPatiently(postgres.connection, 'select value from kept'), 7);
    }
  },
);

embedded('given a busy backend, when the postmaster is killed, then the backend does not stay', async () => {
  const busy = ask(postgres.connection, 'select pg_sleep(600)').catch(() => 'gone');
  await eventually(
    async () =>
      (await ask(
        postgres.connection,
        `select count(*)::int from pg_stat_activity where wait_event = 'PgSleep'`,
      )) === 1,
  );
  killPostmaster();
  assert.is(await busy, 'gone');
  assert.is(await askPatiently(postgres.connection, 'select 1'), 1);
});

embedded('given a stopped server, when stopped again, then nothing of it is left', async () => {
  await postgres.stop();
  await postgres.stop();
  assert.equal(await running(), []);
  assert.is(existsSync(String(postgres.connection.host)), false);
  assert.is(existsSync(join(dataDirectory, 'owner.json')), false);
});

embedded('given a cluster, when started again, then its data is there', async () => {
  const began = Date.now();
  postgres = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger });
  assert.ok(Date.now() - began < 3_000);
  assert.is(await ask(postgres.connection, 'select value from kept'), 7);
});

embedded('given a crash during the restart, when stop is called, then it stops for good', async () => {
  killPostmaster();
  await postgres.stop();
  assert.equal(await running(), []);
});

(isRoot ? embedded : embedded.skip)('given root, when started, then Postgres is not root', async () => {
  assert.is((await stat(join(dataDirectory, 'postgres', 'base'))).uid, 54_320);
});

embedded.run();
