import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import { createSubscriptionRunner } from '#infra/subscriptions/runner.ts';
import type { EventLog, RecordedEvent } from '#ports/eventLog.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import { randomId } from '#src/identifiers.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';

type Context = { database: TestDatabase; log: EventLog };

const subscriptions = suite<Context>('subscriptions');

subscriptions.before.each(async (context) => {
  context.database = await createTestDatabase();
  const { pools, connection } = context.database;
  context.log = createPostgresEventLog({ pool: pools.log, connection });
});

subscriptions.after.each(async ({ database, log }) => {
  await log.close();
  await database.drop();
});

const append = async (log: EventLog, type: string, number: number): Promise<void> => {
  const tenantId = randomId();
  await log.append(`test-${tenantId}.${number}`, 'none', [
    {
      id: randomId(),
      type,
      data: { number },
      metadata: {
        tenant_id: tenantId,
        actor: { type: 'system', id: 'test' },
        trace_id: randomId(),
        command_id: randomId(),
        schema_version: 1,
        occurred_at: '2026-01-01T00:00:00.000Z',
      },
    },
  ]);
};

const remembering = (seen: number[], from: Subscriber['from'] = 'beginning'): Subscriber => ({
  name: 'remembering',
  types: ['wanted.happened'],
  from,
  handle: (events: readonly RecordedEvent[]) => {
    seen.push(...events.map(({ data }) => Number(data['number'])));
    return Promise.resolve();
  },
});

const run = ({ database: { connection }, log }: Context, subscriber: Subscriber) => {
  const runner = createSubscriptionRunner({
    log,
    connection,
    subscribers: [subscriber],
    logger: silentLogger,
  });
  runner.start();
  return runner;
};

const position = async ({ database: { pools } }: Context): Promise<string | null | undefined> => {
  const { rows } = await pools.owner.query<{ position: string | null }>(
    'select position from work.subscriptions',
  );
  return rows[0]?.position;
};

subscriptions(
  'given events of many types, when a subscriber runs, then it is given those it wants, in order',
  async (context) => {
    for (let number = 1; number <= 6; number++) {
      await append(context.log, number % 2 === 0 ? 'wanted.happened' : 'other.happened', number);
    }
    const seen: number[] = [];
    const runner = run(context, remembering(seen));
    await until(() => seen.length === 3);
    await append(context.log, 'wanted.happened', 7);
    await until(() => seen.length === 4);
    await runner.stop();
    assert.equal(seen, [2, 4, 6, 7]);
  },
);

subscriptions(
  'given a subscriber that was stopped, when it runs again, then it goes on where it was',
  async (context) => {
    await append(context.log, 'wanted.happened', 1);
    const seen: number[] = [];
    const first = run(context, remembering(seen));
    await until(async () => (await position(context)) === (await context.log.head()));
    await first.stop();
    await append(context.log, 'wanted.happened', 2);
    const second = run(context, remembering(seen));
    await until(() => seen.length === 2);
    await second.stop();
    assert.equal(seen, [1, 2]);
  },
);

subscriptions(
  'given a subscriber that starts at the head, when it is new, then the past is not told',
  async (context) => {
    await append(context.log, 'wanted.happened', 1);
    const seen: number[] = [];
    const runner = run(context, remembering(seen, 'head'));
    await until(async () => (await position(context)) !== undefined);
    await append(context.log, 'wanted.happened', 2);
    await until(() => seen.length > 0);
    await runner.stop();
    assert.equal(seen, [2]);
  },
);

subscriptions(
  'given a handler that fails, when it is tried again, then the same events come again',
  async (context) => {
    await append(context.log, 'wanted.happened', 1);
    const seen: number[] = [];
    let failures = 0;
    const subscriber = remembering(seen);
    const runner = run(context, {
      ...subscriber,
      handle: (events) => {
        failures++;
        return failures < 3 ? Promise.reject(new Error('not yet')) : subscriber.handle(events);
      },
    });
    await until(() => seen.length === 1);
    await runner.stop();
    assert.equal(seen, [1]);
    assert.is(failures, 3);
  },
);

subscriptions('given two processes, when both run a subscriber, then one of them is fed', async (context) => {
  const seen: number[] = [];
  const runners = [run(context, remembering(seen)), run(context, remembering(seen))];
  for (let number = 1; number <= 5; number++) await append(context.log, 'wanted.happened', number);
  await until(() => seen.length >= 5);
  await Promise.all(runners.map((runner) => runner.stop()));
  assert.equal(seen, [1, 2, 3, 4, 5]);
});

subscriptions(
  'given a checkpoint of another log, when a subscriber starts, then it says so and reads nothing',
  async (context) => {
    const { pools } = context.database;
    await append(context.log, 'wanted.happened', 1);
    await pools.owner.query(
      "insert into work.subscriptions (name, log_id, position) values ('remembering', 'another log', '1')",
    );
    const warnings: unknown[] = [];
    const seen: number[] = [];
    const runner = createSubscriptionRunner({
      log: context.log,
      connection: context.database.connection,
      subscribers: [remembering(seen)],
      logger: { ...silentLogger, warn: (fields) => warnings.push(fields) },
    });
    runner.start();
    await until(() => warnings.length > 0);
    await runner.stop();
    assert.equal(seen, []);
    assert.match(String((warnings[0] as { err: Error }).err), /another event log/);
  },
);

subscriptions.run();
