import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type pg from 'pg';
import { createRateCountPool, requestTimeout } from '#infra/postgres/pools.ts';
import { createPostgresRateLimiter } from '#infra/rateLimits/postgres.ts';
import { sweepRateCounts } from '#infra/rateLimits/sweep.ts';
import type { RateLimiter, RateStanding } from '#ports/rateLimiter.ts';
import type { Logger } from '#ports/logger.ts';
import { standardRateLimits } from '#src/rateLimits.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';

const test = suite('counting requests in the database');

const limits = { ...standardRateLimits, global: 20, token_list: 2 };
const now = Date.now;
let database: TestDatabase;
let pools: pg.Pool[] = [];
let warnings: string[] = [];

const logger: Logger = { ...silentLogger, warn: (_, message) => warnings.push(message) };

/** As a process of its own has it. */
function process(rest?: number): RateLimiter {
  const pool = createRateCountPool(database.connection);
  pools.push(pool);
  return createPostgresRateLimiter({ pool, limits, logger, rest });
}

const allowedOf = (standings: readonly RateStanding[]): number =>
  standings.filter(({ allowed }) => allowed).length;

/** As when this much time had passed. */
const pass = (seconds: number): Promise<unknown> =>
  database.pools.owner.query("update work.rate_counts set ends_at = ends_at - $1 * interval '1 second'", [
    seconds,
  ]);

test.before(async () => {
  database = await createTestDatabase();
});
test.before.each(async () => {
  warnings = [];
  await database.pools.owner.query('truncate work.rate_counts');
});
test.after.each(async () => {
  Date.now = now;
  await Promise.all(pools.map((pool) => pool.end()));
  pools = [];
});
test.after(() => database.drop());

test('given three processes, then a limit holds for all of them together', async () => {
  const processes = [process(), process(), process()];
  const standings = await Promise.all(
    processes.flatMap(({ count }) => Array.from({ length: 20 }, () => count('global', 'a'))),
  );
  assert.is(allowedOf(standings), 20);
  for (const { count } of processes) {
    const refused = await count('global', 'a');
    assert.not(refused.allowed);
    assert.ok(refused.milliseconds > 5_000 && refused.milliseconds <= 10_000);
    assert.ok((await count('global', 'b')).allowed);
    assert.ok((await count('portal', 'a')).allowed);
  }
  assert.equal(warnings, []);
});

test('given a client over a limit, then ten seconds count from then, and afterwards it starts anew', async () => {
  const first = await process().count('token_list', 'a');
  assert.is(first.remaining, 1);
  await pass(9);
  const { count } = process();
  assert.ok((await count('token_list', 'a')).milliseconds <= 1_000);
  assert.ok((await count('token_list', 'a')).milliseconds > 9_000);
  await pass(5);
  const refused = await process().count('token_list', 'a');
  assert.not(refused.allowed);
  assert.ok(refused.milliseconds <= 5_000);
  await pass(5);
  assert.is((await process().count('token_list', 'a')).remaining, 1);
});

test('given a client that is refused, then its flood costs the database nothing', async () => {
  const { count } = process();
  for (let made = 0; made < 3; made++) await count('token_list', 'a');
  const points = async (): Promise<unknown> =>
    (await database.pools.owner.query('select points from work.rate_counts')).rows;
  const before = await points();
  const standings = await Promise.all(Array.from({ length: 1_000 }, () => count('token_list', 'a')));
  assert.is(allowedOf(standings), 0);
  assert.equal(await points(), before);
});

test('given processes whose clocks differ by hours, then the limit holds all the same', async () => {
  const standings: RateStanding[] = [];
  for (const hours of [-1, 1, -1, 1]) {
    Date.now = () => now() + hours * 3_600_000;
    standings.push(await process().count('token_list', 'a'));
  }
  assert.equal(
    standings.map(({ allowed }) => allowed),
    [true, true, false, false],
  );
  assert.ok(standings.every(({ milliseconds }) => milliseconds > 5_000 && milliseconds <= 10_000));
});

test('given a clock of the database that was set back, then nobody is counted or blocked for that long', async () => {
  for (let made = 0; made < 3; made++) await process().count('token_list', 'a');
  await pass(-3_600);
  assert.is((await process().count('token_list', 'a')).remaining, 1);
});

test('given a database that does not answer, then each process counts its own, at once, until it does', async () => {
  const blocker = await database.pools.owner.connect();
  await blocker.query('begin; lock table work.rate_counts in access exclusive mode');
  const { count } = process(300);
  const start = performance.now();
  assert.is((await count('token_list', 'a')).remaining, 1);
  assert.ok(performance.now() - start < 2 * requestTimeout);
  assert.is((await count('token_list', 'a')).remaining, 0);
  assert.not((await count('token_list', 'a')).allowed);
  assert.is(warnings.length, 1);
  await blocker.query('rollback');
  blocker.release();
  const isCounted = async (): Promise<boolean> => {
    await count('global', 'a');
    const { rowCount } = await database.pools.owner.query(
      "select from work.rate_counts where key = 'global:a'",
    );
    return rowCount === 1;
  };
  await until(isCounted);
});

test('given counters that ended a while ago, then a sweep forgets them and no other', async () => {
  const { count } = process();
  await count('global', 'old');
  await pass(100);
  await count('global', 'new');
  await sweepRateCounts(database.pools.owner);
  const { rows } = await database.pools.owner.query('select key from work.rate_counts');
  assert.equal(rows, [{ key: 'global:new' }]);
});

test.run();
