import type pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTransaction } from '#infra/vault/tenantStatement.ts';
import { createLogTimes, positionBefore } from '#infra/webhooks/logTimes.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

const logTimes = suite<{ database: TestDatabase }>('where in the log a moment is');

logTimes.before(async (context) => {
  context.database = await createTestDatabase();
});
logTimes.after(({ database }) => database.drop());

const at = (time: string): Date => new Date(`2026-01-01T${time}Z`);

/** Reads pages that end there and then, as the fan-out does; a restart forgets what was kept at hand. */
async function read(pool: pg.Pool, pages: readonly (readonly [string, string])[]): Promise<void> {
  const times = createLogTimes();
  for (const [time, position] of pages) {
    const readTo = { occurredAt: at(time), position };
    if (times.knows(readTo)) continue;
    await inTransaction(pool, (client) => times.note(client, readTo));
    times.remember(readTo);
  }
}

logTimes(
  'given pages of a log, some of them stamped late or early, when a moment is looked for, then all behind its position was before it',
  async ({ database }) => {
    const { owner: pool } = database.pools;
    await read(pool, [
      ['08:00:10', '10'],
      ['08:00:50', '20'],
      ['08:05:00', '30'],
      // Stamped before those that precede it.
      ['08:01:00', '40'],
    ]);
    // After a restart, and ahead of its time: until 09:00 is reached, nothing is known of the minutes between.
    await read(pool, [
      ['08:02:00', '50'],
      ['09:00:00', '60'],
      ['08:30:00', '70'],
      ['09:01:00', '80'],
    ]);
    const found = async (time: string): Promise<string | null> =>
      inTransaction(pool, (client) => positionBefore(client, at(time).toISOString()));
    assert.is(await found('08:00:59'), null);
    assert.is(await found('08:01:00'), '10');
    assert.is(await found('08:05:59'), '10');
    assert.is(await found('08:06:00'), '30');
    assert.is(await found('09:00:59'), '30');
    assert.is(await found('09:01:00'), '60');
    assert.is(await found('10:00:00'), '80');
  },
);

logTimes.run();
