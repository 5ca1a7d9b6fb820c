import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reachable } from '#infra/postgres/failure.ts';
import { createPools } from '#infra/postgres/pools.ts';
import type { Pools } from '#infra/postgres/pools.ts';
import { StoreUnavailable } from '#ports/readModels.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';

const patience = 400;

const limited = suite<{ database: TestDatabase; pools: Pools }>('patience with a silent server');

limited.before(async (context) => {
  context.database = await createTestDatabase();
  context.pools = createPools(context.database.connection, { owner: 1, api: 1, vault: 1, log: 1 }, patience);
});
limited.after(async ({ database, pools }) => {
  await pools.close();
  await database.drop();
});

const backend = async ({ api }: Pools): Promise<number | undefined> => {
  const { rows } = await api.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
};

limited(
  'given an answer that does not come, then the statement fails, and the next has a connection',
  async ({ pools }) => {
    const before = await backend(pools);
    const startedAt = performance.now();
    const error = await rejectionOf(reachable(() => pools.api.query('select pg_sleep(10)')));
    assert.instance(error, StoreUnavailable);
    assert.match(String((error as Error).cause), 'Query read timeout');
    assert.ok(performance.now() - startedAt >= patience - 50);
    const after = await backend(pools);
    assert.type(after, 'number');
    assert.is.not(after, before);
  },
);

limited(
  'given a transaction whose statement gets no answer, then it fails, and the next begins anew',
  async ({ pools }) => {
    const client = await pools.vault.connect();
    client.on('error', () => undefined);
    await client.query('begin');
    const error = await rejectionOf(client.query('select pg_sleep(10)'));
    client.release(true);
    assert.match(String(error), 'Query read timeout');
    assert.is((await pools.vault.query('select 1')).rowCount, 1);
  },
);

limited(
  'given a connection that had nothing to do for longer, when it is used, then it is the same',
  async ({ pools }) => {
    const before = await backend(pools);
    await sleep(2 * patience);
    assert.is(await backend(pools), before);
    await pools.api.query(`select pg_sleep(${patience / 2_000})`);
    assert.is(await backend(pools), before);
  },
);

limited(
  'given many statements one after the other, when they take longer together, then none fails',
  async ({ pools }) => {
    const before = await backend(pools);
    const startedAt = performance.now();
    while (performance.now() - startedAt < 2 * patience) await pools.api.query('select pg_sleep(0.05)');
    assert.is(await backend(pools), before);
  },
);

limited(
  'given a statement that fails, then its connection can be used, and is not waited for afterwards',
  async ({ pools }) => {
    const client = await pools.api.connect();
    const error = await rejectionOf(client.query('select 1 / 0'));
    assert.match(String(error), 'division by zero');
    await sleep(2 * patience);
    assert.is((await client.query('select 1')).rowCount, 1);
    client.release();
  },
);

limited('given the pool of the owner, then its statements take as long as they need', async ({ pools }) => {
  assert.is((await pools.owner.query(`select pg_sleep(${(2 * patience) / 1_000})`)).rowCount, 1);
});

limited.run();
