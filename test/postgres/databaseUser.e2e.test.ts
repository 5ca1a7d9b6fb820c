import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate } from '#infra/postgres/migrate.ts';
import { migrations } from '#infra/postgres/migrations/index.ts';
import { requireInstallation } from '#infra/postgres/requireInstallation.ts';
import { newGround } from '#test/backup/support/backups.ts';
import { backUpNew, emptyDatabases, query } from '#test/backup/support/databases.ts';
import type { EmptyDatabases } from '#test/backup/support/databases.ts';
import { borrowTestServer } from '#test/support/testServer.ts';
import type { BorrowedServer } from '#test/support/testServer.ts';

type Context = { server: BorrowedServer; databases: EmptyDatabases; url: string };

const databaseUser = suite<Context>('a user of the database who is called like one of our schemas');

databaseUser.before.each(async (context) => {
  context.server = await borrowTestServer();
  await query(context.server.url, "create role vault login superuser password 'of vault'");
  context.databases = await emptyDatabases();
  const url = new URL(await context.databases.make());
  url.username = 'vault';
  url.password = 'of vault';
  context.url = url.href;
});
databaseUser.after.each(async ({ server, databases }) => {
  await databases.drop();
  await query(server.url, 'drop role vault');
  await server.giveBack();
});

const placesOf = async (url: string): Promise<string[]> =>
  (
    await query<{ name: string }>(
      url,
      `select schemaname || '.' || tablename as name from pg_tables
       where tablename like 'holdfast_migrations%' order by 1`,
    )
  ).map(({ name }) => name);

const inPublic = ['public.holdfast_migrations', 'public.holdfast_migrations_lock'];

databaseUser(
  'when the service starts again and again, and is backed up, then it finds what it made',
  async ({ url }) => {
    const ground = await newGround();
    try {
      const { contents } = await backUpNew(ground, url);
      assert.equal(
        contents.schema,
        migrations.map(({ name }) => name),
      );
      assert.not.ok(contents.tables.some(({ name }) => name.includes('holdfast_migrations')));
    } finally {
      await ground.remove();
    }
    await migrate({ connectionString: url });
    await requireInstallation({ connectionString: url }, 'here');
    assert.equal(await placesOf(url), inPublic);
  },
);

databaseUser(
  'given what the second start of an earlier version left, when it starts, then that is gone',
  async ({ url }) => {
    await migrate({ connectionString: url });
    await query(url, 'create table vault.holdfast_migrations (id int)');
    await query(url, 'create table vault.holdfast_migrations_lock (id int)');
    await migrate({ connectionString: url });
    assert.equal(await placesOf(url), inPublic);
  },
);

databaseUser(
  'given tables of an earlier version in the schema of the user, when it starts, then it goes on with them',
  async ({ url }) => {
    const connection = { connectionString: url };
    await migrate(connection, { steps: migrations.slice(0, -1) });
    await query(url, 'create schema app');
    for (const name of inPublic) await query(url, `alter table ${name} set schema app`);
    await migrate(connection);
    assert.equal(await placesOf(url), inPublic);
    await requireInstallation(connection, 'here');
  },
);

databaseUser.run();
