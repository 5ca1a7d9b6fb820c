import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Listener } from '#infra/postgres/listener.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

const test = suite('listening to notifications');
const patience = 10_000;
let database: TestDatabase;
let listener: Listener;
let began = 0;

test.before(async () => {
  database = await createTestDatabase();
});
test.after(async () => {
  await database.drop();
});
test.before.each(() => {
  began = 0;
  listener = new Listener({
    connection: database.connection,
    heartbeat: 20,
    onReconnect: () => {
      began += 1;
    },
  });
});
test.after.each(async () => {
  await listener.close();
});

test('given a channel, then each notification on it calls back, until it is not wanted', async () => {
  const heard: string[] = [];
  const other: string[] = [];
  const stop = listener.listen('test_one', (payload) => heard.push(payload));
  listener.listen('test "two"', (payload) => other.push(payload));
  await listener.connected();
  await notify('test_one', 'first');
  await notify('test "two"', 'second');
  await until(() => other.length === 1);
  stop();
  await notify('test_one', 'third');
  await notify('test "two"', '');
  await until(() => other.length === 2);
  assert.equal(heard, ['first']);
  assert.equal(other, ['second', '']);
});

test('given a channel that is added while connected, then it is heard too', async () => {
  listener.listen('test_one', () => undefined);
  await listener.connected();
  let heard = 0;
  listener.listen('test_late', () => {
    heard += 1;
  });
  await until(async () => {
    await notify('test_late', '');
    return heard > 0;
  });
});

test('given a connection that broke, then it listens again, and says so', async () => {
  let heard = 0;
  listener.listen('test_one', () => {
    heard += 1;
  });
  await listener.connected();
  assert.is(began, 1);
  await database.pools.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'holdfast listener%'`,
  );
  await until(() => began === 2);
  await notify('test_one', '');
  await until(() => heard === 1);
});

test('given heartbeats, then it knows when it last heard of the server', async () => {
  assert.is(listener.lastHeardAt, -Infinity);
  listener.listen('test_one', () => undefined);
  await listener.connected();
  const then = performance.now();
  await until(() => listener.lastHeardAt > then);
  assert.ok(listener.lastHeardAt <= performance.now());
});

async function notify(channel: string, payload: string): Promise<void> {
  await database.pools.owner.query('select pg_notify($1, $2)', [channel, payload]);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patience;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('what was waited for did not happen');
    await turn();
  }
}

test.run();
