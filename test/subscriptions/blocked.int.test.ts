import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import { createSubscriptionRunner } from '#infra/subscriptions/runner.ts';
import { NotBlocked, skip } from '#infra/subscriptions/skip.ts';
import { standings } from '#infra/subscriptions/standing.ts';
import type { EventLog } from '#ports/eventLog.ts';
import { randomId } from '#src/identifiers.ts';
import { createSubscriberMetrics } from '#src/main/subscriberMetrics.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';

type Context = { database: TestDatabase; log: EventLog; poison: string };

const blocked = suite<Context>('blocked subscribers');

/** Three events, of which nobody can handle the second. */
blocked.before.each(async (context) => {
  context.database = await createTestDatabase();
  const { pools, connection } = context.database;
  context.log = createPostgresEventLog({ pool: pools.log, connection });
  context.poison = randomId();
  for (const id of [randomId(), context.poison, randomId()]) await append(context.log, id);
});
blocked.after.each(async ({ database, log }) => {
  await log.close();
  await database.drop();
});

async function append(log: EventLog, id: string): Promise<void> {
  const tenantId = randomId();
  const metadata = {
    tenant_id: tenantId,
    actor: { type: 'system', id: 'test' } as const,
    trace_id: randomId(),
    command_id: randomId(),
    schema_version: 1,
    occurred_at: '2026-01-01T00:00:00.000Z',
  };
  await log.append(`test-${tenantId}.${id}`, 'none', [{ id, type: 'wanted.happened', data: {}, metadata }]);
}

type Logged = { subscriber: string; event: string; position: string };

function run({ database: { connection }, log, poison }: Context) {
  const handled: string[] = [];
  const logged: Logged[] = [];
  const runner = createSubscriptionRunner({
    log,
    connection,
    subscribers: [
      {
        name: 'delicate',
        types: ['wanted.happened'],
        from: 'beginning',
        handle: (events) => {
          if (events.some(({ id }) => id === poison)) return Promise.reject(new Error('it is poison'));
          handled.push(...events.map(({ id }) => id));
          return Promise.resolve();
        },
      },
    ],
    logger: {
      ...silentLogger,
      warn: (fields) => {
        if ('event' in fields) logged.push(fields as unknown as Logged);
      },
    },
  });
  runner.start();
  return { runner, handled, logged };
}

const isBlocked = async ({ database: { pools }, poison }: Context): Promise<boolean> =>
  (await standings(pools.owner)).some((standing) => standing.blocked?.id === poison);

blocked(
  'given an event that cannot be handled, when a subscriber comes to it, then what is before it is done once, and log, status and metric say where it stands',
  async (context) => {
    const { runner, handled, logged } = run(context);
    await until(() => isBlocked(context));
    await until(() => logged.length > 1);
    await runner.stop();
    assert.is(handled.length, 1);
    const [standing] = await standings(context.database.pools.owner);
    assert.ok(standing !== undefined);
    assert.is(standing.lastError, 'it is poison');
    assert.ok(standing.failingSeconds > 0);
    const [line] = logged;
    assert.equal([line?.subscriber, line?.event], ['delicate', context.poison]);
    assert.is(line?.position, standing.blocked?.position);
    const metrics = createSubscriberMetrics({
      log: context.log,
      clock: { now: () => new Date('2026-01-01T00:01:40.000Z') },
      subscribers: [{ name: 'delicate', types: ['wanted.happened'] }],
      standings: () => standings(context.database.pools.owner),
    });
    const text = await metrics.metrics();
    assert.match(text, /holdfast_subscriber_failing_seconds\{subscriber="delicate"\} 0*[1-9.]/);
    assert.match(text, /holdfast_subscriber_lag_events\{subscriber="delicate"\} 2$/m);
    assert.match(text, /holdfast_subscriber_lag_seconds\{subscriber="delicate"\} 100$/m);
    assert.match(text, /holdfast_subscriber_position\{subscriber="delicate"\} 1$/m);
  },
);

blocked(
  'given a subscriber that nobody runs, with events before it, when it has not moved for long, then it counts as failing',
  async ({ log }) => {
    const failingSeconds = async (unmovedSeconds: number): Promise<string | undefined> => {
      const standing = { name: 'idle', position: null, failingSeconds: 0, unmovedSeconds };
      const metrics = createSubscriberMetrics({
        log,
        clock: { now: () => new Date() },
        subscribers: [{ name: 'idle', types: ['wanted.happened'] }],
        standings: () => Promise.resolve([{ ...standing, lastError: null, blocked: null, skipped: 0 }]),
      });
      return /failing_seconds\{subscriber="idle"\} (\d+)/.exec(await metrics.metrics())?.[1];
    };
    assert.equal([await failingSeconds(5), await failingSeconds(90)], ['0', '90']);
  },
);

blocked(
  'given a blocked subscriber, when its event is left out, then it goes on with what is behind, and fails no longer',
  async (context) => {
    const { owner } = context.database.pools;
    const { runner, handled } = run(context);
    await until(() => isBlocked(context));
    await skip(owner, 'delicate', context.poison.toUpperCase());
    await until(() => handled.length === 2);
    await until(async () => (await standings(owner))[0]?.lastError === null);
    await runner.stop();
    const [standing] = await standings(owner);
    assert.ok(standing !== undefined);
    assert.is(standing.position, await context.log.head());
    assert.equal([standing.failingSeconds, standing.blocked, standing.skipped], [0, null, 1]);
    assert.is(new Set(handled).size, 2);
  },
);

blocked(
  'given a blocked subscriber, when another event is to be left out, then that is refused',
  async (context) => {
    const { runner } = run(context);
    await until(() => isBlocked(context));
    const { owner } = context.database.pools;
    assert.instance(await rejectionOf(skip(owner, 'delicate', randomId())), NotBlocked);
    assert.instance(await rejectionOf(skip(owner, 'another', context.poison)), NotBlocked);
    await runner.stop();
    assert.is((await standings(owner))[0]?.skipped, 0);
  },
);

blocked.run();
