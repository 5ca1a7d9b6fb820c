import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import { event, newStream } from '#test/eventlog/helpers.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';

const test = suite<{ database: TestDatabase }>('row-level security of the event log and of credentials');

test.before(async (context) => {
  context.database = await createTestDatabase();
});
test.after(async ({ database }) => {
  await database.drop();
});

const count = async (pool: TestDatabase['pools']['api'], statement: string): Promise<number> => {
  const { rows } = await pool.query<{ count: string }>(statement);
  return Number(rows[0]?.count);
};

test('given events of several streams, when a statement names none, then it sees none, and otherwise only those', async ({
  database: { pools, connection },
}) => {
  const log = createPostgresEventLog({ pool: pools.log, connection });
  const streams = [newStream(), newStream()];
  for (const stream of streams) await log.append(stream, 'none', [event(), event()]);
  assert.is(await count(pools.log, 'select count(*) from event_log.events'), 0);
  const named = `with asked as materialized (select set_config('hf.stream', '${streams[0]}', true) as stream)
    select count(*) from asked cross join lateral (
      select from event_log.events where asked.stream is not null offset 0) as found`;
  assert.is(await count(pools.log, named), 2);
  assert.is((await log.readStream(streams[1] ?? '')).length, 2);
  assert.is((await log.readAll(null, 10)).events.length, 4);
  await log.close();
});

test('given the role of requests, or of secrets, when it looks into the event log, then Postgres refuses', async ({
  database: { pools },
}) => {
  for (const pool of [pools.api, pools.vault]) {
    for (const statement of [
      'select count(*) from event_log.events',
      "select event_log.append('{}', '{}', '{}', '{}', '{}', '{}', '', '')",
    ]) {
      assert.match(
        (await rejectionOf(pool.query(statement))).message,
        /permission denied for schema event_log/,
      );
    }
  }
});

test('given the role of the event log, when it changes events or looks elsewhere, then Postgres refuses', async ({
  database: { pools },
}) => {
  for (const statement of [
    'delete from event_log.events',
    `insert into event_log.events (stream, revision, id, type, data, metadata)
     values ('s', 0, gen_random_uuid(), 't', '{}', '{}')`,
    'select from vault.payloads',
    'select from read_models.checkpoints',
    'select from audit.entries',
  ]) {
    assert.match((await rejectionOf(pools.log.query(statement))).message, /permission denied/, statement);
  }
});

test('given credentials of two tenants, when a statement names neither digest nor tenant, then it sees none', async ({
  database: { pools },
}) => {
  const [mine, other] = [randomUUID(), randomUUID()];
  for (const tenant of [mine, other]) {
    await pools.owner.query(
      'insert into vault.credentials (tenant_id, key_id, application_id, digest) values ($1, $1, $1, $2)',
      [tenant, Buffer.from(tenant)],
    );
  }
  assert.is(await count(pools.vault, 'select count(*) from vault.credentials'), 0);
  const client = await pools.vault.connect();
  try {
    await client.query('begin');
    await client.query("select set_config('hf.tenant', $1, true)", [mine]);
    const seen = await client.query<{ tenant_id: string }>('select tenant_id from vault.credentials');
    assert.equal(seen.rows, [{ tenant_id: mine }]);
    const { rowCount } = await client.query('delete from vault.credentials where tenant_id = $1', [other]);
    assert.is(rowCount, 0);
    const moved = rejectionOf(client.query('update vault.credentials set tenant_id = $1', [other]));
    assert.match((await moved).message, /row-level security/);
  } finally {
    client.release(true);
  }
});

test.run();
