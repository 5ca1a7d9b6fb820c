import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import { sharing } from '#infra/eventlog/sharing.ts';
import type { EventLog, EventToAppend, LogPage } from '#ports/eventLog.ts';
import { event, newStream } from '#test/eventlog/helpers.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { until } from '#test/support/until.ts';

type Context = {
  database: TestDatabase;
  log: EventLog;
  shared: EventLog;
  opened: () => number;
  sent: () => number;
};

const test = suite<Context>('one subscription for all who follow a log');

test.before.each(async (context) => {
  const database = await createTestDatabase();
  const log = createPostgresEventLog({ pool: database.pools.log, connection: database.connection });
  let opened = 0;
  let sent = 0;
  const counted: EventLog = {
    ...sharing(log),
    subscribe: async function* (...parameters) {
      opened += 1;
      for await (const page of log.subscribe(...parameters)) {
        sent += page.events.length;
        yield page;
      }
    },
  };
  Object.assign(context, {
    database,
    log,
    shared: sharing(counted),
    opened: () => opened,
    sent: () => sent,
  });
});
test.after.each(async ({ database, log }) => {
  await log.close();
  await database.drop();
});

const many = (count: number, type?: string): EventToAppend[] =>
  Array.from({ length: count }, () => event(type));

/** Follows a log from its beginning, and waits before each page where it is told to. */
function follow(
  log: EventLog,
  types?: string[],
  before: (page: LogPage) => Promise<void> | void = () => undefined,
) {
  const stopped = new AbortController();
  const got: string[] = [];
  let atHead = false;
  const done = (async () => {
    for await (const page of log.subscribe(null, types, stopped.signal)) {
      await before(page);
      got.push(...page.events.map(({ id }) => id));
      ({ atHead } = page);
    }
  })();
  return {
    got,
    isAtHead: () => atHead,
    stop: async () => {
      stopped.abort();
      await done;
    },
  };
}

test('given 17 who follow, when events come, then each is sent once, and everybody gets what he wants once and in order', async ({
  log,
  shared,
  opened,
  sent,
}) => {
  const past = many(700);
  await log.append(newStream(), 'none', past);
  const followers = Array.from({ length: 17 }, (_, n) =>
    follow(shared, n % 2 === 0 ? undefined : ['token.deleted']),
  );
  await until(() => followers.every(({ isAtHead }) => isAtHead()));
  const coming: EventToAppend[] = [];
  for (let n = 0; n < 40; n += 1) {
    const events = [...many(3), ...many(1, 'token.deleted')];
    coming.push(...events);
    await log.append(newStream(), 'none', events);
  }
  const all = [...past, ...coming].map(({ id }) => id);
  const deleted = coming.filter(({ type }) => type === 'token.deleted').map(({ id }) => id);
  await until(() => followers.every(({ got }, n) => got.length >= (n % 2 === 0 ? all : deleted).length));
  followers.forEach(({ got }, n) => {
    assert.equal(got, n % 2 === 0 ? all : deleted);
  });
  assert.is(opened(), 1);
  assert.ok(sent() <= coming.length + past.length, `${sent()} events were sent`);
  await Promise.all(followers.map(({ stop }) => stop()));
});

test('given one who is slow, when more comes than is kept for him, then others go on, and he reads on by himself', async ({
  log,
  shared,
}) => {
  const { promise: isFree, resolve: free } = Promise.withResolvers<undefined>();
  let holds = false;
  const slow = follow(shared, undefined, async () => {
    if (holds) await isFree;
  });
  const quick = follow(shared);
  await until(() => slow.isAtHead() && quick.isAtHead());
  holds = true;
  const total = 25_000;
  for (let n = 0; n < total; n += 1_000) await log.append(newStream(), 'none', many(1_000));
  await until(() => quick.got.length === total);
  assert.ok(slow.got.length < total);
  free(undefined);
  await until(() => slow.got.length === total);
  assert.equal(slow.got, quick.got);
  await Promise.all([slow.stop(), quick.stop()]);
});

test('given nobody who follows any more, then the subscription ends, and the next who comes opens another', async ({
  log,
  shared,
  opened,
}) => {
  const first = follow(shared);
  await until(() => first.isAtHead());
  await first.stop();
  const event = many(1);
  await log.append(newStream(), 'none', event);
  const second = follow(shared);
  await until(() => second.got.length === 1);
  await second.stop();
  assert.is(opened(), 2);
});

test.run();
