import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import pg from 'pg';
import { contentsOf } from '#infra/backup/contents.ts';
import { manifestIn, readManifest } from '#infra/backup/manifest.ts';
import type { BackupContents } from '#infra/backup/manifest.ts';
import { restore } from '#infra/backup/restore.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import { migrations } from '#infra/postgres/migrations/index.ts';
import { newGround } from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { backUpNew, emptyDatabases, query } from '#test/backup/support/databases.ts';
import type { EmptyDatabases } from '#test/backup/support/databases.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';

type Context = { ground: Ground; databases: EmptyDatabases };

const schema = suite<Context>('the schema of a backup');

schema.before.each(async (context) => {
  context.ground = await newGround();
  context.databases = await emptyDatabases();
});
schema.after.each(async ({ ground, databases }) => {
  await databases.drop();
  await ground.remove();
});

/** Backs up a database that was migrated by some steps, and holds an event. */
const backUpAfter = async (
  { ground, databases }: Context,
  steps: typeof migrations,
): Promise<BackupContents> => (await backUpNew(ground, await databases.make(), steps)).contents;

const restoreTo = (url: string, ground: Ground, contents: BackupContents): Promise<void> =>
  restore({
    backup: ground.path('copy'),
    contents,
    connection: { connectionString: url },
    directories: {},
    onProgress: () => undefined,
  });

schema(
  'given a backup of an older version, when it is restored, then its events are there, in the schema of this one',
  async (context) => {
    const steps = migrations.slice(
      0,
      migrations.findIndex(({ name }) => name.startsWith('0012')),
    );
    const contents = await backUpAfter(context, steps);
    assert.equal(
      contents.schema,
      steps.map(({ name }) => name),
    );
    const url = await context.databases.make();
    await restoreTo(url, context.ground, contents);
    const events = await query(url, 'select stream, revision, position from event_log.events');
    assert.equal(events, [{ stream: 'a-b', revision: '0', position: '1' }]);
    const applied = await query<{ name: string }>(url, 'select name from holdfast_migrations order by id');
    assert.equal(
      applied.map(({ name }) => name),
      migrations.map(({ name }) => name),
    );
    // Positions go on after those that were given out.
    const next = await query(url, `select nextval('event_log.events_position_seq') as next`);
    assert.equal(next, [{ next: '2' }]);
  },
);

schema(
  'given a backup of a later version, when it is restored, then it is refused by name',
  async (context) => {
    const contents = await backUpAfter(context, migrations);
    const later = { ...contents, schema: [...contents.schema, '9999_later'] };
    const refusal = await rejectionOf(restoreTo(await context.databases.make(), context.ground, later));
    assert.match(refusal.message, 'made by a later version of Holdfast: it holds the migration 9999_later');
    const manifest = await readManifest(context.ground.path('copy'));
    const ahead = { ...manifest, contents: { ...manifest.contents, format: 2 } };
    await writeFile(manifestIn(context.ground.path('copy')), JSON.stringify(ahead));
    const unread = await rejectionOf(readManifest(context.ground.path('copy')));
    assert.match(unread.message, /is of format 2, and this version knows 1$/);
  },
);

schema(
  'given every table there is, when a backup is planned, then each is in it, or is one of those that are left out on purpose',
  async (context) => {
    const url = await context.databases.make();
    await migrate({ connectionString: url });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const contents = (await contentsOf(client)).map(({ name }) => name);
    await client.end();
    const tables = await query<{ name: string }>(
      url,
      `select schemaname || '.' || tablename as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema', 'read_models') order by 1`,
    );
    const kept = new Set(contents);
    assert.equal(
      tables.map(({ name }) => name).filter((name) => !kept.has(name)),
      [
        'graphile_worker.migrations',
        'public.holdfast_migrations',
        'public.holdfast_migrations_lock',
        'vault.epoch_keys',
        'vault.key_processes',
        'vault.short_lived_parts',
        'work.fingerprint_claims',
        'work.projection_checkpoints',
        'work.projection_unknown_types',
        'work.rate_counts',
      ],
    );
    const docs = await readFile(join(import.meta.dirname, '../../docs/backup.md'), 'utf8');
    for (const name of ['short_lived_parts', 'epoch_keys']) assert.match(docs, name);
  },
);

schema.run();
