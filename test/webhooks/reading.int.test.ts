import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTransaction } from '#infra/vault/tenantStatement.ts';
import { addDeliveries } from '#infra/webhooks/outbox.ts';
import { createDeliveryQueue } from '#infra/webhooks/queue.ts';
import type { Verdict } from '#infra/webhooks/record.ts';
import type { ClaimedDelivery } from '#ports/webhookSending.ts';
import { randomId } from '#src/identifiers.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

const reading = suite<{ database: TestDatabase }>('what is read for a delivery');

reading.before(async (context) => {
  context.database = await createTestDatabase();
});
reading.after(({ database }) => database.drop());

const worker = randomId();
const handful = 32;
const rounds = 20;
const served = { tenantId: randomId(), webhookId: randomId(), changes: 0 };

/** Deliveries of one webhook, of which the planner has no statistics. */
async function make({ pools }: TestDatabase, count: number): Promise<void> {
  const deliveries = Array.from({ length: count }, () => ({
    ...served,
    id: randomId(),
    eventId: randomId(),
    kind: 'token.created',
    subject: randomId(),
    body: '{}',
  }));
  await inTransaction(pools.owner, (client) => addDeliveries(client, deliveries));
}

const accepted = (delivery: ClaimedDelivery): Verdict => ({
  delivery,
  status: 'delivered',
  delay: 0,
  pause: 0,
  outcome: 'accepted',
  responseStatus: 204,
  milliseconds: 1,
});

/** Entries of indexes of deliveries that this connection's statements have read. */
async function entriesRead({ pools }: TestDatabase): Promise<number> {
  await pools.owner.query('select pg_stat_force_next_flush()');
  const { rows } = await pools.owner.query<{ entries: number }>(
    `select sum(idx_tup_read)::int4 as entries from pg_stat_user_indexes where relname = 'webhook_deliveries'`,
  );
  return rows[0]?.entries ?? 0;
}

/** Takes and records a handful, again and again. */
async function deliver({ pools }: TestDatabase): Promise<void> {
  const queue = createDeliveryQueue(pools.owner, worker);
  for (let round = 0; round < rounds; round++) {
    const taken = await queue.claim(served, { most: handful, retried: handful / 2, replayed: handful });
    assert.is(taken.length, handful);
    await queue.record(served.webhookId, taken.map(accepted));
  }
}

reading(
  'given ten thousand that wait at an endpoint, of which the planner knows nothing, when some are delivered, then the others are not read for that',
  async ({ database }) => {
    await make(database, 10_000);
    const before = await entriesRead(database);
    await deliver(database);
    const read = (await entriesRead(database)) - before;
    // Of each, the entry by which it is found, those by which it is changed twice, and outdated ones before them.
    assert.ok(read >= rounds * handful && read < 20 * rounds * handful, `${read} entries were read`);
  },
);

reading.run();
