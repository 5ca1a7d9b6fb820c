import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createReadModels } from '#infra/postgres/readModels.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

const readModels = suite<{ database: TestDatabase }>('statements over views');

readModels.before(async (context) => {
  context.database = await createTestDatabase();
});
readModels.after(({ database }) => database.drop());

readModels(
  'given two statements whose names differ after the 63rd character only, then each gives its own rows',
  async ({ database }) => {
    const { rows } = createReadModels(database.pools.api);
    const shared = 'things by '.padEnd(70, 'status ');
    const ask = (ending: string, column: string) =>
      rows(randomUUID(), {
        name: `${shared}${ending}`,
        text: `select 1 as ${column} from (values (1)) as one(n) where tenant.id is not null`,
      });
    // One connection has to have prepared both.
    for (let round = 0; round < 3; round++) {
      assert.equal(await ask('', 'first'), [{ first: 1 }]);
      assert.equal(await ask('after', 'second'), [{ second: 1 }]);
    }
  },
);

readModels.run();
