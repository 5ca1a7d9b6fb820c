import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import { createSubscriptionRunner } from '#infra/subscriptions/runner.ts';
import { randomId } from '#src/identifiers.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';

test('given a subscriber that writes with its checkpoint, when the checkpoint cannot be moved, then nothing of it stays, and it is done again, once', async () => {
  const { pools, connection, drop } = await createTestDatabase();
  const log = createPostgresEventLog({ pool: pools.log, connection });
  await pools.owner.query('create table work.written (attempt int)');
  const tenantId = randomId();
  const metadata = {
    tenant_id: tenantId,
    actor: { type: 'system', id: 'test' } as const,
    trace_id: randomId(),
    command_id: randomId(),
    schema_version: 1,
    occurred_at: '2026-01-01T00:00:00.000Z',
  };
  const event = { id: randomId(), type: 'wanted.happened', data: {}, metadata };
  await log.append(`test-${tenantId}.1`, 'none', [event]);
  const moveTo = (position: string | null) =>
    pools.owner.query('update work.subscriptions set position = $1', [position]);
  let attempts = 0;
  const runner = createSubscriptionRunner({
    log,
    connection,
    subscribers: [
      {
        name: 'writing',
        types: ['wanted.happened'],
        from: 'beginning',
        handleWithin: async (client) => {
          attempts++;
          await client.query('insert into work.written values ($1)', [attempts]);
          if (attempts === 1) await moveTo('0');
        },
      },
    ],
    logger: silentLogger,
  });
  runner.start();
  const written = async (): Promise<number[]> =>
    (await pools.owner.query<{ attempt: number }>('select attempt from work.written')).rows.map(
      ({ attempt }) => attempt,
    );
  await until(async () => (await written()).length > 0);
  await until(async () => {
    const { rows } = await pools.owner.query<{ position: string }>('select position from work.subscriptions');
    return rows[0]?.position !== '0';
  });
  await runner.stop();
  assert.equal(await written(), [2]);
  await log.close();
  await drop();
});

test.run();
