import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startForeignCluster } from '#test/database/support/foreignCluster.ts';
import type { ForeignCluster } from '#test/database/support/foreignCluster.ts';
import { pgbouncer, startPgBouncer } from '#test/database/support/pgbouncer.ts';
import { refusal, works } from '#test/database/support/serving.ts';
import { newDataDirectory, removeDataDirectory, runHoldfast } from '#test/support/service.ts';

const test = suite<{ cluster: ForeignCluster; directory: string }>('a PostgreSQL of somebody else');

test.before(async (context) => {
  context.cluster = await startForeignCluster();
});
test.before.each(async (context) => {
  context.directory = await newDataDirectory();
});
test.after.each(async ({ directory, cluster }) => {
  await removeDataDirectory(directory);
  await cluster.clear();
});
test.after(async ({ cluster }) => {
  await cluster.stop();
});

test('given an ordinary owner who may create roles, when it starts twice, then it works, and says once what is open', async ({
  cluster,
  directory,
}) => {
  const DATABASE_URL = await cluster.makeOwner('hf', 'createrole');
  await works(directory, { DATABASE_URL });
  const said = await works(directory, { DATABASE_URL }, () => cluster.failOver());
  assert.is(said.split('enters roles that it can leave').length, 2, said);
});

test('given roles that an earlier version made and could not enter, when it starts, then they are repaired', async ({
  cluster,
}) => {
  const DATABASE_URL = await cluster.makeOwner('hf', 'createrole');
  await cluster.administer(
    'set role hf; create role holdfast_api nologin noinherit; create role holdfast_vault nologin noinherit',
  );
  const { code, out, err } = await runHoldfast(['database', 'prepare'], { DATABASE_URL });
  assert.is(code, 0, err);
  assert.match(out, 'the database is ready for `holdfast start`');
  const [row] = await cluster.administer(
    `select bool_and(pg_has_role('hf', rolname, 'set')) as enters, count(*)::int as count
     from pg_roles where rolname ~ '^holdfast_'`,
  );
  assert.equal(row, { enters: true, count: 3 });
});

test('given an owner who may not create roles, then one sentence names the script, and with it and three logins it works', async ({
  cluster,
  directory,
}) => {
  const DATABASE_URL = await cluster.makeOwner('weak');
  assert.match(
    await refusal(directory, { DATABASE_URL }),
    /the role holdfast_api is missing, and the user weak may not create roles: .*`npx holdfast database prepare --print`/,
  );
  const { code, out, err } = await runHoldfast(['database', 'prepare', '--print'], { DATABASE_URL });
  assert.is(code, 0, err);
  // It may be run again.
  for (let time = 0; time < 2; time++) await cluster.administer(out, 'weak');
  const environment: Record<string, string> = { DATABASE_URL };
  for (const role of ['api', 'vault', 'log']) {
    const url = cluster.urlOf(`holdfast_${role}_login`, 'weak');
    const line = new RegExp(`^-- (create role holdfast_${role}_login.*)$`, 'm').exec(out)?.[1] ?? '';
    await cluster.administer(line.replace('…', new URL(url).password));
    environment[`DATABASE_URL_${role.toUpperCase()}`] = url;
  }
  const users = cluster.administer.bind(
    cluster,
    `select distinct usename, split_part(application_name, ' ', 2) as pool from pg_stat_activity
     where datname = 'weak' and application_name ~ '^holdfast (api|vault|log) ' order by 2`,
  );
  let found: Record<string, unknown>[] = [];
  const said = await works(directory, environment, async () => {
    found = await users();
  });
  assert.equal(
    found.map(({ usename, pool }) => [pool, usename]),
    [
      ['api', 'holdfast_api_login'],
      ['log', 'holdfast_log_login'],
      ['vault', 'holdfast_vault_login'],
    ],
  );
  assert.not.match(said, 'enters roles that it can leave');
  const verified = await runHoldfast(['verify'], { ...environment, HOLDFAST_DATA_DIR: directory });
  assert.is(verified.code, 0, verified.out + verified.err);
});

test('given a server with a certificate, when its CA is named, then it is trusted, and otherwise one sentence says how', async ({
  cluster,
  directory,
}) => {
  const url = new URL(await cluster.makeOwner('hf', 'createrole'));
  url.hostname = 'localhost';
  url.searchParams.set('sslmode', 'verify-full');
  assert.match(
    await refusal(directory, { DATABASE_URL: url.href }),
    /the certificate of the database is not trusted \(.*\): name the file of its CA in DATABASE_URL, as sslrootcert=<file>/,
  );
  url.searchParams.set('sslrootcert', cluster.authority);
  let encrypted: unknown;
  await works(directory, { DATABASE_URL: url.href }, async () => {
    const [row] = await cluster.administer(
      `select bool_and(ssl) as all from pg_stat_ssl join pg_stat_activity using (pid) where datname = 'hf'`,
    );
    encrypted = row?.['all'];
  });
  assert.is(encrypted, true);
});

const whereInstalled = pgbouncer === undefined ? test.skip : test;

whereInstalled(
  'given a pooler in session mode, when the service and its commands go through it, then they work, each in its role',
  async ({ cluster, directory }) => {
    const url = await cluster.makeOwner('hf', 'createrole');
    const pooler = await startPgBouncer(pgbouncer ?? '', [url]);
    try {
      const environment = { DATABASE_URL: pooler.through(url) };
      await works(directory, environment, async () => {
        const command = { ...environment, HOLDFAST_DATA_DIR: directory };
        const { code, err } = await runHoldfast(['projections', 'status'], command);
        assert.is(code, 0, err);
      });
    } finally {
      await pooler.stop();
    }
  },
);

test.run();
