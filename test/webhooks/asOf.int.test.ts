import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import { foldStream } from '#domain/fold.ts';
import { webhookRequestStream, webhookStream } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';
import type { EventLog, EventToAppend, RecordedEvent } from '#ports/eventLog.ts';
import { randomId } from '#src/identifiers.ts';
import { webhooksAsOf } from '#src/webhooks/asOf.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

type Context = { database: TestDatabase; log: EventLog; tenantId: string };

const asOf = suite<Context>('webhooks as of an event');

asOf.before.each(async (context) => {
  context.database = await createTestDatabase();
  const { pools, connection } = context.database;
  context.log = createPostgresEventLog({ pool: pools.log, connection });
  context.tenantId = randomId();
});
asOf.after.each(async ({ database, log }) => {
  await log.close();
  await database.drop();
});

function eventOf(tenantId: string, type: string, data: EventToAppend['data']): EventToAppend {
  const metadata = {
    tenant_id: tenantId,
    actor: { type: 'system', id: 'test' } as const,
    trace_id: randomId(),
    command_id: randomId(),
    schema_version: 1,
    occurred_at: '2026-01-01T00:00:00.000Z',
  };
  return { id: randomId(), type, data, metadata };
}

/** Appends in turn: a change of the webhook, something else, and what is asked of it. Answers the whole log. */
async function history({ log, tenantId }: Context, changes: number): Promise<RecordedEvent[]> {
  const webhookId = randomId();
  const attributes = { id: webhookId, name: 'n', payload_id: randomId() };
  for (let change = 0; change < changes; change++) {
    const events = [`kind.${change}`];
    const changed =
      change === 0
        ? eventOf(tenantId, 'webhook.created', { ...attributes, events, secret_id: randomId() })
        : eventOf(tenantId, 'webhook.updated', {
            ...attributes,
            events,
            status: 'enabled',
            previous_payload_id: randomId(),
          });
    await log.append(webhookStream(tenantId), change === 0 ? 'none' : BigInt(change - 1), [changed]);
    const tokenId = randomId();
    const expired = eventOf(tenantId, 'token.expired', { id: tokenId, payload_id: tokenId });
    await log.append(`token-${tenantId}.${tokenId}`, 'none', [expired]);
    const pinged = eventOf(tenantId, 'webhook.pinged', { id: webhookId });
    await log.append(webhookRequestStream(tenantId, randomId()), 'none', [pinged]);
  }
  return (await log.readAll(null, 1_000)).events;
}

/** A log that counts the events that are read of streams. */
function counting(log: EventLog) {
  const counted = { reads: 0, events: 0 };
  const readStream: EventLog['readStream'] = async (stream, from) => {
    const events = await log.readStream(stream, from);
    counted.reads++;
    counted.events += events.length;
    return events;
  };
  return { counted, readStream };
}

asOf(
  'given many changes, when events come as they are written, then each is seen with the changes before it, which are read once',
  async (context) => {
    const changes = 20;
    const { counted, readStream } = counting(context.log);
    const webhooksWhen = webhooksAsOf({ readStream });
    const stream = webhookStream(context.tenantId);
    const events = await history(context, changes);
    for (const event of events) {
      const earlier = events.filter((one) => one.stream === stream && one.ordinal < event.ordinal);
      assert.equal(await webhooksWhen(event), foldStream(webhooksFold, earlier));
    }
    assert.equal(counted, { reads: 1, events: changes });
  },
);

asOf('given changes that come later, when they are met, then only they are read', async (context) => {
  const { counted, readStream } = counting(context.log);
  const webhooksWhen = webhooksAsOf({ readStream });
  const first = await history(context, 10);
  for (const event of first) await webhooksWhen(event);
  const deleted = eventOf(context.tenantId, 'webhook.deleted', {
    id: String(first[0]?.data['id']),
    payload_ids: [],
  });
  await context.log.append(webhookStream(context.tenantId), 9n, [deleted]);
  const after = eventOf(context.tenantId, 'token.expired', { id: randomId(), payload_id: randomId() });
  await context.log.append(`token-${context.tenantId}.${randomId()}`, 'none', [after]);
  const sizes = [];
  for (const event of (await context.log.readAll(first.at(-1)?.position ?? null, 10)).events) {
    sizes.push((await webhooksWhen(event)).size);
  }
  assert.equal(sizes, [1, 0]);
  assert.equal(counted, { reads: 2, events: 11 });
});

asOf('given events that come again, when they are seen, then with the changes of then', async (context) => {
  const events = await history(context, 5);
  const webhooksWhen = webhooksAsOf(context.log);
  const told = async (): Promise<string[]> => {
    const wanted: string[] = [];
    for (const event of events) {
      for (const webhook of (await webhooksWhen(event)).values()) wanted.push(...webhook.events);
    }
    return wanted;
  };
  assert.equal(await told(), await told());
});

asOf.run();
