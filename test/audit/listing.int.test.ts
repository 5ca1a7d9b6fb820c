import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createReadModels } from '#infra/postgres/readModels.ts';
import { endOfFirstPage } from '#queries/log/firstPage.ts';
import { listLogs } from '#queries/log/list.ts';
import type { LogFilter } from '#queries/log/filter.ts';
import type { LogPage } from '#queries/log/list.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { rowsRead } from '#test/support/rowsRead.ts';

const listing = suite<{ database: TestDatabase }>('audit: what is read for a list');

const large = randomUUID();
const small = randomUUID();
const entriesOfLarge = 20_000;

/** One tenant with almost all entries, of which every hundredth was refused, and many with one each. */
listing.before(async (context) => {
  context.database = await createTestDatabase();
  const { owner } = context.database.pools;
  await owner.query(
    `insert into audit.entries
     select md5('writer')::uuid, n, timestamptz '2030-01-01' + n * interval '1 second',
       case when n <= ${entriesOfLarge} then $1 when n = ${entriesOfLarge} + 1 then $2 else md5(n::text)::uuid end,
       'application', '', '', 'read', case n % 3 when 0 then 'application' else 'token' end,
       case n % 2000 when 7 then 'wanted' else 'thing ' || n end,
       case n % 100 when 0 then 'refused' else 'succeeded' end, 200, '', '', '', null, '', ''
     from generate_series(1, ${entriesOfLarge} + 10000) as n`,
    [large, small],
  );
  await owner.query('analyze audit.entries');
});
listing.after(({ database }) => database.drop());

/** A page of ten, and how many entries were read for it; the second time, when its statements are known. */
async function list(
  { pools }: TestDatabase,
  tenantId: string,
  filter: LogFilter,
): Promise<LogPage & { read: number }> {
  const connection = await pools.api.connect();
  const readModels = createReadModels(connection as unknown as pg.Pool);
  const page = (): Promise<LogPage> => listLogs({ readModels }, tenantId, filter, { page: 1, size: 10 });
  const read = (): Promise<number> => rowsRead(connection, 'entries');
  try {
    for (let round = 0; round < 10; round++) await page();
    const before = await read();
    const found = await page();
    return { ...found, read: (await read()) - before };
  } finally {
    connection.release();
  }
}

listing(
  'given a thing of a large tenant, then no other entries are read for its own',
  async ({ database }) => {
    const found = await list(database, large, { entityId: 'wanted' });
    assert.is(found.totalItems, 10);
    assert.is(found.items.length, 10);
    assert.ok(found.items.every(({ entityId }) => entityId === 'wanted'));
    const times = found.items.map(({ occurredAt }) => occurredAt.getTime());
    assert.equal(
      times,
      times.toSorted((a, b) => b - a),
    );
    assert.is(found.read, 20);
    const ofType = await list(database, large, { entityId: 'wanted', entityType: 'token' });
    assert.is(ofType.read, 2 * ofType.totalItems);
    assert.ok(ofType.totalItems > 0 && ofType.totalItems < 10);
  },
);

listing('given a tenant of one entry, then those of others are not read for it', async ({ database }) => {
  const found = await list(database, small, {});
  assert.is(found.totalItems, 1);
  // Once for the count and once for the list, unless the count is known already.
  assert.ok(found.read <= 2, `${found.read} rows`);
});

listing('given refusals among many entries, then the others are not read for them', async ({ database }) => {
  const found = await list(database, large, { outcome: 'refused' });
  assert.is(found.totalItems, entriesOfLarge / 100);
  assert.ok(found.items.every(({ outcome }) => outcome === 'refused'));
  assert.ok(found.read <= 2 * found.totalItems, `${found.read} were read`);
});

listing(
  'given many entries within an hour, then the first page of a reader is found without them',
  async ({ database }) => {
    const { owner, api } = database.pools;
    const [writer, key] = [randomUUID(), randomUUID()];
    await owner.query(
      `insert into audit.entries
     select $1, n, timestamptz '2030-01-01 05:00Z' + n * interval '1 second', $2, 'application', 'reader', $3, 'read', 'log', '',
       'succeeded', 200, case n when 2 then md5('writer')::uuid || '.18000' else '' end, '', '', null, '', ''
     from generate_series(1, 3) as n`,
      [writer, large, key],
    );
    const connection = await api.connect();
    const readModels = createReadModels(connection as unknown as pg.Pool);
    const endAt = (time: string) =>
      endOfFirstPage(
        { readModels, clock: { now: () => new Date(time) } },
        { tenantId: large, applicationId: 'reader', keyId: key },
      );
    try {
      const expected = { occurredAt: new Date('2030-01-01T05:00:02Z'), writerId: writer, sequence: '1' };
      assert.equal(await endAt('2030-01-01T05:30:00Z'), expected);
      assert.is(await endAt('2030-01-01T06:00:03Z'), undefined);
      for (let round = 0; round < 10; round++) await endAt('2030-01-01T05:30:00Z');
      const before = await rowsRead(connection, 'entries');
      await endAt('2030-01-01T05:30:00Z');
      await endAt('2030-01-01T06:00:03Z');
      const read = (await rowsRead(connection, 'entries')) - before;
      assert.ok(read < 20, String(read));
    } finally {
      connection.release();
    }
  },
);

listing('given a time, then entries before it are not read', async ({ database }) => {
  const from = new Date(Date.parse('2030-01-01T00:00:00Z') + (entriesOfLarge - 50) * 1_000);
  const found = await list(database, large, { from });
  assert.is(found.totalItems, 51);
  assert.is(found.items.length, 10);
  assert.ok(found.read <= 2 * 51, `${found.read} were read`);
});

listing.run();
