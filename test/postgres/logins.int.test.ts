import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import pg from 'pg';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { askForConnection } from '#infra/postgres/embedded/handOut.ts';
import { startEmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import type { EmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import { createPools } from '#infra/postgres/pools.ts';
import type { Pools } from '#infra/postgres/pools.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import { ask, askPatiently, eventually, temporaryDirectory } from '#test/support/embedded/helpers.ts';
import type { TemporaryDirectory } from '#test/support/embedded/helpers.ts';
import { putPreparedCluster, throwawaySettings } from '#test/support/preparedCluster.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

const sizes = { owner: 1, api: 1, vault: 1, log: 1 };
const names = ['owner', 'api', 'vault', 'log', 'audit'] as const;

type Context = { directory: TemporaryDirectory; postgres: EmbeddedPostgres; pools: Pools };
const test = suite<Context>('logins of the embedded PostgreSQL');

const start = (path: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDirectory: path, logger: silentLogger, settings: throwawaySettings });

const passwordsOf = ({ administrator, connection }: EmbeddedPostgres): string[] =>
  [administrator, connection, ...Object.values(connection.logins ?? {})].map(
    ({ password }) => password as string,
  );

test.before(async (context) => {
  context.directory = await temporaryDirectory();
  await putPreparedCluster(context.directory.path);
  context.postgres = await start(context.directory.path);
  await migrate(context.postgres.connection);
  context.pools = createPools(context.postgres.connection, sizes);
});
test.after(async ({ directory, postgres, pools }) => {
  await pools.close();
  await postgres.stop();
  await directory.remove();
});

test('given each pool, when it has logged in, then it is no superuser, and resetting its role changes nothing', async ({
  pools,
}) => {
  const users: string[] = [];
  for (const name of names) {
    const { rows } = await pools[name].query<{ user: string; rights: boolean }>(
      `select session_user as user, rolsuper or rolbypassrls or rolcreaterole as rights
       from pg_roles where rolname = session_user`,
    );
    assert.is(rows[0]?.rights, false, name);
    users.push(rows[0]?.user ?? '');
    await pools[name].query('reset role');
    const { rows: after } = await pools[name].query<{ user: string }>('select current_user as user');
    assert.is(after[0]?.user, rows[0]?.user);
  }
  assert.equal(users, ['holdfast_owner', 'holdfast_api', 'holdfast_vault', 'holdfast_log', 'holdfast_api']);
});

test('given a role, when it wants to be another, then it is refused', async ({ pools }) => {
  for (const name of ['api', 'vault', 'log'] as const) {
    for (const other of ['holdfast', 'holdfast_owner', 'holdfast_api', 'holdfast_vault', 'holdfast_log']) {
      if (other === `holdfast_${name}`) continue;
      const error = await rejectionOf(pools[name].query(`set role ${other}`));
      assert.match(error.message, /permission denied to set role/, `${name} as ${other}`);
    }
  }
  assert.match((await rejectionOf(pools.owner.query('set role holdfast'))).message, /permission denied/);
});

test('given no password or a wrong one, when anybody connects, then nobody is let in', async ({
  postgres,
}) => {
  for (const user of ['holdfast', 'holdfast_owner', 'holdfast_api', 'holdfast_vault', 'holdfast_log']) {
    for (const password of [undefined, '', 'wrong']) {
      const error = await rejectionOf(ask({ ...postgres.connection, user, password }, 'select 1'));
      assert.match(error.message, /password/, user);
    }
  }
});

test('given a running server, when its files are searched, then no password is in any', async ({
  directory,
  postgres,
}) => {
  const secrets = passwordsOf(postgres).flatMap((password) => [
    password,
    Buffer.from(password, 'base64url').toString('hex'),
  ]);
  assert.is(new Set(secrets).size, 10);
  const places = [directory.path, postgres.connection.host ?? ''];
  let searched = 0;
  for (const place of places) {
    for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const content = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.of());
      for (const secret of secrets) assert.not.ok(content.includes(secret), entry.name);
      searched += 1;
    }
  }
  assert.ok(searched > 100, String(searched));
});

test('given a command beside the service, when it may write to the data directory, then it is let in', async ({
  directory,
  postgres,
}) => {
  const { connection, close } = await connectToDataDirectory(directory.path, silentLogger);
  assert.equal(connection, postgres.connection);
  await close();
  const left = (await readdir(directory.path)).filter((name) => name.startsWith('proof'));
  assert.equal(left, []);
});

test('given somebody who only reaches the socket, when the passwords are asked for, then they are not told', async ({
  postgres,
}) => {
  const elsewhere = await temporaryDirectory();
  assert.is(await askForConnection(postgres.connection.host ?? '', elsewhere.path), undefined);
  await elsewhere.remove();
});

test('given a server that was killed, when it is there again, then it still asks for passwords', async ({
  postgres,
}) => {
  const killed = postgres.pid ?? 0;
  process.kill(killed, 'SIGKILL');
  await eventually(() => postgres.pid !== undefined && postgres.pid !== killed);
  assert.is(await askPatiently(postgres.connection, 'select 1'), 1);
  const error = await rejectionOf(ask({ ...postgres.administrator, password: 'wrong' }, 'select 1'));
  assert.match(error.message, /password authentication failed/);
});

test('given a cluster of an earlier version, when it is started, then its superuser owns nothing of ours', async () => {
  const directory = await temporaryDirectory();
  const first = await start(directory.path);
  const administrator = new pg.Client(first.administrator);
  await administrator.connect();
  await administrator.query('alter database holdfast owner to holdfast');
  await migrate(first.administrator);
  await administrator.query("create type work.mood as enum ('good')");
  await administrator.end();
  const former = passwordsOf(first);
  await first.stop();

  const second = await start(directory.path);
  assert.not.ok(passwordsOf(second).some((password) => former.includes(password)));
  const owned = await ask(
    second.administrator,
    `select array_agg(what) from (
       select relname from pg_class where oid >= 16384 and relowner = 'holdfast'::regrole
         and relnamespace <> 'pg_toast'::regnamespace
       union all select proname from pg_proc where oid >= 16384 and proowner = 'holdfast'::regrole
       union all select typname from pg_type where oid >= 16384 and typowner = 'holdfast'::regrole
       union all select nspname from pg_namespace where oid >= 16384 and nspowner = 'holdfast'::regrole
     ) as found (what)`,
  );
  assert.is(owned, null);
  await migrate(second.connection);
  const pools = createPools(second.connection, sizes);
  await pools.log.query(
    `select event_log.append('{s-1}', '{-1}', '{1}', '{0}', array[gen_random_uuid()], '{t}', '{}', '{}')`,
  );
  await pools.close();
  await second.stop();
  await directory.remove();
});

test.run();
