import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createReadModels } from '#infra/postgres/readModels.ts';
import { findApplication } from '#infra/postgres/access/application.ts';
import { createWebhookDeliveries } from '#infra/webhooks/deliveries.ts';
import type { EventLog } from '#ports/eventLog.ts';
import {
  createIndexesSql,
  createKeyIndexSql,
  createTableSql,
  liveTables,
} from '#projections/engine/tables.ts';
import { applicationsProjection } from '#projections/applications.ts';
import { tenantsProjection } from '#projections/tenants.ts';
import { tokensProjection } from '#projections/tokens.ts';
import { readCardTokens } from '#queries/accountUpdater/cards.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { rowsRead } from '#test/support/rowsRead.ts';

const reading = suite<{ database: TestDatabase }>('what is read for a row of a tenant');

reading.before(async (context) => {
  const database = await createTestDatabase();
  context.database = database;
  for (const projection of [applicationsProjection, tenantsProjection, tokensProjection]) {
    for (const [name, table] of liveTables(projection)) {
      const statements = [createTableSql(table), createKeyIndexSql(table), ...createIndexesSql(table)];
      for (const statement of statements) await database.pools.owner.query(statement);
      await database.pools.owner.query(`alter table read_models.${table.name} rename to ${name}`);
    }
  }
});
reading.after(({ database }) => database.drop());

const large = randomUUID();
const rows = 20_000;

/** After so many rounds a connection keeps the plan of a statement. */
const rounds = 10;
const several = Array.from({ length: 20 }, (_, n) => n + 1);

/** Rows of this many tenants, of which one has almost all. */
const given = `(select n, case when n <= ${rows} then '${large}'::uuid else md5('tenant' || n)::uuid end as tenant,
  md5(n::text)::uuid as id from generate_series(1, ${rows + 10_000}) as n) as given`;
const idOf = async ({ pools }: TestDatabase, n: number): Promise<string> =>
  (await pools.owner.query<{ id: string }>('select md5($1::int4::text)::uuid as id', [n])).rows[0]?.id ?? '';

/** Rows of a table that were read, by an index or without, while something was done. */
async function readOf({ pools }: TestDatabase, table: string, work: () => Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> => {
    await pools.owner.query('select pg_stat_force_next_flush()');
    return rowsRead(pools.api, table);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

reading(
  'given many small tenants and a large one, when tokens of that are looked up, then no others are read',
  async ({ database }) => {
    await database.pools.owner.query(
      `insert into read_models.tokens
         (tenant_id, id, type, payload_id, containers, fingerprint_expression, created_at, ordinal)
       select tenant, id::text, 'card', id, '{/a/}', '', now(), n from ${given}`,
    );
    await database.pools.owner.query('analyze read_models.tokens');
    const readModels = createReadModels(database.pools.api);
    const ids = await Promise.all(several.map((n) => idOf(database, n)));
    const find = async (): Promise<void> => {
      assert.is((await readCardTokens({ readModels }, large, ids)).size, ids.length);
    };
    for (let round = 0; round < rounds; round++) await find();
    assert.is(await readOf(database, 'tokens', find), several.length);
  },
);

reading(
  'given applications that became many since the planner looked, when a key is looked up, then theirs alone is read',
  async ({ database }) => {
    const { owner, api } = database.pools;
    const fill = async (from: number, to: number): Promise<void> => {
      await owner.query(
        `insert into read_models.applications
           (tenant_id, id, name, type, every_permission, permissions, rules, created_at, ordinal, revision)
         select tenant, id, '', 'private', false, '{}', '[]', now(), n, 0 from ${given} where n between $1 and $2`,
        [from, to],
      );
      await owner.query(
        `insert into read_models.application_keys (tenant_id, application_id, id, created_at, ordinal)
         select tenant, id, id, now(), n from ${given} where n between $1 and $2`,
        [from, to],
      );
    };
    await owner.query(
      `insert into read_models.tenants (id, name, settings, created_at, ordinal, revision)
       values ($1, '', '{}', now(), 0, 0)`,
      [large],
    );
    await fill(1, 1_000);
    await owner.query('analyze read_models.applications, read_models.application_keys, read_models.tenants');
    const lookup = {
      readModels: createReadModels(api),
      log: { readStream: () => Promise.resolve([]) } as unknown as EventLog,
      stateSigner: { sign: () => Promise.resolve(''), check: () => Promise.resolve() },
      integrityAlarm: () => undefined,
      clock: { now: () => new Date() },
    };
    const find = async (n: number): Promise<void> => {
      const id = await idOf(database, n);
      assert.ok(await findApplication(lookup, { tenantId: large, applicationId: id, keyId: id }));
    };
    for (let round = 0; round < rounds; round++) await Promise.all(several.map(find));
    await fill(1_001, rows);
    assert.is(await readOf(database, 'applications', () => find(15_000)), 1);
  },
);

reading(
  'given a webhook with many deliveries of which the planner knows nothing, when one is asked for, then no other delivery is read',
  async ({ database }) => {
    const { owner, api } = database.pools;
    await owner.query(
      `insert into work.webhook_deliveries (tenant_id, id, webhook_id, event_id, kind, subject, body)
       select tenant, id, tenant, id, '', '', '' from ${given}`,
    );
    const id = await idOf(database, 17);
    const read = await readOf(database, 'webhook_deliveries', async () => {
      assert.ok(await createWebhookDeliveries(api).has(large, large, id));
    });
    assert.is(read, 1);
  },
);

reading.run();
