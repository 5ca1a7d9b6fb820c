import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import pg from 'pg';
import { BackupRefused } from '#infra/backup/refused.ts';
import { claimDatabase } from '#infra/backup/target.ts';
import { emptyDatabases, query } from '#test/backup/support/databases.ts';
import type { EmptyDatabases } from '#test/backup/support/databases.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';

const target = suite<{ databases: EmptyDatabases; url: string }>('the database that is restored into');

target.before.each(async (context) => {
  context.databases = await emptyDatabases();
  context.url = await context.databases.make();
});
target.after.each(({ databases }) => databases.drop());

async function claim(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await claimDatabase(client);
  } finally {
    await client.end();
  }
}

for (const [what, statement, name] of [
  ['a table of others', 'create table public.customers (id serial)', 'public.customers'],
  ['a schema of others', 'create schema shop; create view shop.orders as select 1', 'shop.orders'],
] as const) {
  target(`given ${what}, then it is refused by name and left as it was`, async ({ url }) => {
    await query(url, statement);
    const refusal = await rejectionOf(claim(url));
    assert.instance(refusal, BackupRefused);
    assert.match(refusal.message, `the database is not empty: it holds ${name};`);
    const [row] = await query<{ marked: boolean }>(
      url,
      `select to_regclass('public.holdfast_restore') is not null as marked`,
    );
    assert.is(row?.marked, false);
  });
}

target(
  'given an empty database with an extension, when it is claimed twice, then it is taken',
  async ({ url }) => {
    await query(url, 'create extension if not exists pg_stat_statements');
    await claim(url);
    await claim(url);
  },
);

target.run();
