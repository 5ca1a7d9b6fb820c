import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import { sharing } from '#infra/eventlog/sharing.ts';
import { LogUnavailable, UnknownOutcome } from '#ports/eventLog.ts';
import type { EventLog } from '#ports/eventLog.ts';
import { randomId } from '#src/identifiers.ts';
import { runContract } from '#test/eventlog/contract.ts';
import type { Engine } from '#test/eventlog/contract/engine.ts';
import { creation, event, newStream, rejection } from '#test/eventlog/helpers.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

const appendLock = 4_650_112;

async function onNewDatabase(
  as: (log: EventLog) => EventLog = (log) => log,
): Promise<Engine & { database: TestDatabase }> {
  const database = await createTestDatabase();
  const logs: EventLog[] = [];
  const open = (): EventLog => {
    const log = as(createPostgresEventLog({ pool: database.pools.log, connection: database.connection }));
    logs.push(log);
    return log;
  };
  return {
    database,
    log: open(),
    open,
    interrupt: async () => {
      await database.pools.owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    },
    close: async () => {
      await Promise.all(logs.map((log) => log.close()));
      await database.drop();
    },
  };
}

runContract('Postgres', onNewDatabase);
runContract('Postgres, with one subscription', () => onNewDatabase(sharing));

const test = suite('event log on Postgres');
let engine: Awaited<ReturnType<typeof onNewDatabase>>;

test.before(async () => {
  engine = await onNewDatabase();
});
test.after(async () => {
  await engine.close();
});

test('given a bad member in a batch, then its neighbours are appended', async () => {
  const { log } = engine;
  const known = event();
  await log.append(newStream(), 'none', [known]);
  const neighbours = Array.from({ length: 20 }, () => creation());
  const outcomes = await Promise.allSettled([
    ...neighbours.slice(0, 10).map(({ stream, expected, events }) => log.append(stream, expected, events)),
    log.append(newStream(), 'none', [known]),
    log.append(newStream(), 'none', [{ ...event(), id: 'not a uuid' }]),
    ...neighbours.slice(10).map(({ stream, expected, events }) => log.append(stream, expected, events)),
  ]);
  assert.equal(
    outcomes.map(({ status }) => status),
    [...Array(10).fill('fulfilled'), 'rejected', 'rejected', ...Array(10).fill('fulfilled')],
  );
  for (const { stream } of neighbours) assert.is((await log.readStream(stream)).length, 1);
});

test('given appends at once, then they share transactions', async () => {
  const { log, database } = engine;
  const before = await log.head();
  const appends = Array.from({ length: 200 }, () => creation());
  await Promise.all(appends.map(({ stream, expected, events }) => log.append(stream, expected, events)));
  const { rows } = await database.pools.owner.query<{ transactions: string }>(
    'select count(distinct xmin::text) as transactions from event_log.events where position > $1',
    [before],
  );
  assert.ok(Number(rows[0]?.transactions) <= 3);
});

test('given a backend that dies in the middle of an append, then the outcome is unknown until it is repeated', async () => {
  const { log } = engine;
  const { stream, expected, events } = creation();
  await whileAppendsWait(async (signalWaiting) => {
    const appending = rejection(log.append(stream, expected, events), UnknownOutcome);
    await signalWaiting('pg_terminate_backend');
    await appending;
  });
  assert.is((await log.append(stream, expected, events)).revision, 0n);
  assert.is((await log.readStream(stream)).length, 1);
});

test('given a statement that the server cancels, then nothing was written for certain', async () => {
  await whileAppendsWait(async (signalWaiting) => {
    const appending = rejection(engine.log.append(newStream(), 'none', [event()]), LogUnavailable);
    await signalWaiting('pg_cancel_backend');
    await appending;
  });
});

test('given no server, then nothing was written for certain', async () => {
  const connection = { host: '127.0.0.1', port: 1, user: 'nobody' };
  const pool = new pg.Pool(connection);
  const log = createPostgresEventLog({ pool, connection });
  await rejection(log.append(newStream(), 'none', [event()]), LogUnavailable);
  await rejection(log.readStream(newStream()), LogUnavailable);
  await rejection(log.head(), LogUnavailable);
  await pool.end();
});

test('given events, then nobody changes or removes them', async () => {
  const { log, database } = engine;
  await log.append(newStream(), 'none', [event()]);
  const { owner, api } = database.pools;
  for (const statement of [
    `update event_log.events set type = 'changed'`,
    'delete from event_log.events',
    'truncate event_log.events',
  ]) {
    await assertRejects(owner.query(statement), /events are never changed or removed/);
    await assertRejects(api.query(statement), /permission denied/);
  }
  const insertion = `insert into event_log.events (stream, revision, id, type, data, metadata)
    values ('${newStream()}', 0, '${randomId()}', 't', '{}', '{}')`;
  await assertRejects(api.query(insertion), /permission denied/);
});

test('given a transaction of another isolation level, then an append in it is refused', async () => {
  const client = await engine.database.pools.owner.connect();
  await client.query('begin isolation level repeatable read');
  const append = client.query(`select event_log.append('{s}', '{-1}', '{1}', '{0}',
    array['${randomId()}']::uuid[], '{t}', '{}', '{}')`);
  await assertRejects(append, /read committed transactions only/);
  await client.query('rollback');
  client.release();
});

type SignalWaiting = (signal: 'pg_terminate_backend' | 'pg_cancel_backend') => Promise<void>;

/** Holds the lock that every append takes, and lets the check signal the backend that waits for it. */
async function whileAppendsWait(check: (signalWaiting: SignalWaiting) => Promise<void>): Promise<void> {
  const client = await engine.database.pools.owner.connect();
  await client.query('select pg_advisory_lock($1)', [appendLock]);
  try {
    await check(async (signal) => {
      const waiting = `select ${signal}(pid) from pg_stat_activity
        where datname = current_database() and wait_event = 'advisory'`;
      while ((await client.query(waiting)).rowCount === 0) await new Promise(setImmediate);
    });
  } finally {
    await client.query('select pg_advisory_unlock($1)', [appendLock]);
    client.release();
  }
}

async function assertRejects(promise: Promise<unknown>, message: RegExp): Promise<void> {
  assert.match((await rejection(promise, Error)).message, message);
}

test.run();
