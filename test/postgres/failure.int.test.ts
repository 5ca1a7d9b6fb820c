import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reachable } from '#infra/postgres/failure.ts';
import { StoreUnavailable } from '#ports/readModels.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';
import { until } from '#test/support/until.ts';

const failures = suite<{ database: TestDatabase }>('statements that fail');

failures.before(async (context) => {
  context.database = await createTestDatabase();
});
failures.after(({ database }) => database.drop());

for (const [how, end] of [
  ['canceled', 'pg_cancel_backend'],
  ['cut off', 'pg_terminate_backend'],
] as const) {
  failures(
    `given a statement that is ${how} by an administrator, then the store is unavailable for now`,
    async ({ database: { pools } }) => {
      const rejected = rejectionOf(reachable(() => pools.api.query(`select pg_sleep(60) as ${end}`)));
      await until(async () => {
        const { rowCount } = await pools.owner.query(
          `select ${end}(pid) from pg_stat_activity where query like $1 and pid <> pg_backend_pid()`,
          [`select pg_sleep(60) as ${end}%`],
        );
        return rowCount === 1;
      });
      assert.instance(await rejected, StoreUnavailable);
    },
  );
}

failures(
  'given a statement that is wrong, then its error is told as it is',
  async ({ database: { pools } }) => {
    const error = await rejectionOf(reachable(() => pools.api.query('select 1 / 0')));
    assert.not.instance(error, StoreUnavailable);
  },
);

failures.run();
