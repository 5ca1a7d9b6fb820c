import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate } from '#infra/postgres/migrate.ts';
import { migrations } from '#infra/postgres/migrations/index.ts';
import { administer, assertRefused, newGround } from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { emptyDatabases, query } from '#test/backup/support/databases.ts';
import type { EmptyDatabases } from '#test/backup/support/databases.ts';
import { runHoldfast } from '#test/support/service.ts';

type Context = { ground: Ground; databases: EmptyDatabases };

const wrongPlace = suite<Context>('commands in a place without Holdfast');

wrongPlace.before.each(async (context) => {
  context.ground = await newGround();
  context.databases = await emptyDatabases();
});
wrongPlace.after.each(async ({ ground, databases }) => {
  await databases.drop();
  await ground.remove();
});

const absent = '00000000-0000-4000-8000-000000000000';
const reading = ({ path }: Ground): string[][] => [['backup', path('copy')], ['verify'], ['audit', 'verify']];
const commands = (ground: Ground): string[][] => [
  ...reading(ground),
  ['audit', 'export'],
  ['projections', 'status'],
  ['projections', 'rebuild', 'tokens'],
  ['keys', 'status'],
  ['keys', 'rotate', '--root'],
  ['tenant', 'create', 'Acme'],
  ['tenant', 'delete', absent, '--yes'],
  ['account-updater', 'merchants', absent],
];

const schemasOf = async (url: string): Promise<string[]> =>
  (
    await query<{ name: string }>(
      url,
      `select nspname as name from pg_namespace where nspname not like 'pg\\_%' order by 1`,
    )
  ).map(({ name }) => name);

wrongPlace(
  'given a working directory without .holdfast, when a command runs there, then it names the place and makes nothing',
  async ({ ground }) => {
    await mkdir(ground.path('elsewhere'));
    for (const words of commands(ground)) {
      const refused = await runHoldfast(words, {}, ground.path('elsewhere'));
      assertRefused(
        refused,
        /there is no Holdfast in the data directory .*elsewhere\/\.holdfast \(HOLDFAST_DATA_DIR/,
      );
    }
    assert.equal(await readdir(ground.path(), { recursive: true }), ['elsewhere']);
  },
);

wrongPlace(
  'given a database that is empty, when a command runs on it, then it names the setting and makes nothing',
  async ({ ground, databases }) => {
    const url = await databases.make();
    const environment = { HOLDFAST_DATA_DIR: ground.path('data'), DATABASE_URL: url };
    for (const words of [...reading(ground), ['tenant', 'create', 'Acme']]) {
      const refused = await runHoldfast(words, environment);
      assertRefused(refused, /there is no Holdfast in the database that DATABASE_URL names/);
    }
    assert.equal(await readdir(ground.path()), []);
    assert.equal(await schemasOf(url), ['information_schema', 'public']);
  },
);

wrongPlace(
  'given a database in use, and a data directory without its root key, when a command runs, then it makes none',
  async ({ ground, databases }) => {
    const url = await databases.make();
    await migrate({ connectionString: url });
    const environment = { HOLDFAST_DATA_DIR: ground.path('data'), DATABASE_URL: url };
    assertRefused(
      await runHoldfast(['verify'], environment),
      /the root key file .*data\/root.key is missing/,
    );
    assert.equal(await readdir(ground.path()), []);
  },
);

wrongPlace(
  'given a database in use, and its root key, but another data directory, when it is backed up, then heads are missed',
  async ({ ground, databases }) => {
    const url = await databases.make();
    await migrate({ connectionString: url });
    const environment = {
      HOLDFAST_DATA_DIR: ground.path('data'),
      HOLDFAST_ROOT_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: url,
    };
    const refused = await runHoldfast(['backup', ground.path('copy')], environment);
    assertRefused(refused, /the heads of the audit log are not in .*data\/audit: set HOLDFAST_DATA_DIR/);
    assert.equal(await readdir(ground.path()), []);
  },
);

wrongPlace(
  'given a cluster on which no start has ended, when a command runs on it, then it makes nothing in it',
  async ({ ground }) => {
    await administer(ground.path('data'), 'select 1');
    assertRefused(await ground.holdfast('data', 'verify'), /there is no Holdfast in the data directory/);
    const [row] = await administer(
      ground.path('data'),
      `select to_regnamespace('vault') is null as is_empty`,
    );
    assert.is(row?.['is_empty'], true);
  },
);

wrongPlace(
  'given a database of an earlier version, when a command runs on it, then it says what to do and changes nothing',
  async ({ ground, databases }) => {
    const url = await databases.make();
    await migrate({ connectionString: url }, { steps: migrations.slice(0, -1) });
    const environment = { HOLDFAST_DATA_DIR: ground.path('data'), DATABASE_URL: url };
    for (const words of reading(ground)) {
      const refused = await runHoldfast(words, environment);
      assertRefused(refused, /is of an earlier version of Holdfast .*: use that version, or start this one/);
    }
    const [row] = await query<{ count: string }>(url, 'select count(*) from public.holdfast_migrations');
    assert.is(Number(row?.count), migrations.length - 1);
    assert.equal(await readdir(ground.path()), []);
  },
);

wrongPlace.run();
