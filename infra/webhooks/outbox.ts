import type pg from 'pg';
import { createLogTimes, positionBefore } from '#infra/webhooks/logTimes.ts';
import type { DeliveryToMake, FanOut, WebhookOutbox } from '#ports/webhookDeliveries.ts';

const tablesOfTenant = [
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_replays',
  'webhook_replay_turns',
] as const;

/** Wakes those who send. */
export const deliveryChannel = 'webhook_deliveries';

/** Transactions are the owner's. */
export function createWebhookOutbox(): WebhookOutbox<pg.ClientBase> {
  const logTimes = createLogTimes();
  return {
    add: async (client, fanOut) => {
      const { deliveries, retries, replays, readTo } = fanOut;
      await addDeliveries(client, deliveries);
      await retryDeliveries(client, retries);
      await addReplays(client, replays);
      await noteChanges(client, fanOut);
      await logTimes.note(client, readTo);
      if (deliveries.length + retries.length + replays.length > 0) {
        await client.query(`notify ${deliveryChannel}`);
      }
      // When this is undone, replays of that minute begin earlier.
      logTimes.remember(readTo);
    },
    forgetTenant: async (client, tenantId) => {
      for (const table of tablesOfTenant) {
        await client.query(`delete from work.${table} where tenant_id = $1`, [tenantId]);
      }
    },
  };
}

type AddOptions = {
  /** What was sent before is sent again, and after all that is new. */
  replayed?: boolean;
};

/** Adds deliveries, and the endpoints that they go to. */
export async function addDeliveries(
  client: pg.ClientBase,
  deliveries: readonly DeliveryToMake[],
  { replayed = false }: AddOptions = {},
): Promise<void> {
  if (deliveries.length === 0) return;
  // What goes to several webhooks is sent to the database once.
  const messages = [...new Map(deliveries.map((delivery) => [delivery.eventId, delivery])).values()];
  const of = (many: readonly DeliveryToMake[], name: keyof DeliveryToMake): string[] =>
    many.map((delivery) => delivery[name]);
  await client.query({
    name: replayed ? 'webhook deliveries replayed' : 'webhook deliveries',
    text: `with made as (
        select tenant_id, id, webhook_id, event_id, kind, subject, body, place
        from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[])
            with ordinality as delivery (tenant_id, id, webhook_id, event_id, place)
          join unnest($5::uuid[], $6::text[], $7::text[], $8::text[])
            as message (event_id, kind, subject, body) using (event_id)
      ), endpoints as (
        insert into work.webhook_endpoints (tenant_id, webhook_id)
        select distinct tenant_id, webhook_id from made on conflict do nothing
      )
      insert into work.webhook_deliveries (tenant_id, id, webhook_id, event_id, kind, subject, body, replayed)
      select tenant_id, id, webhook_id, event_id, kind, subject, body, $9 from made order by place
      on conflict (tenant_id, id) do ${
        replayed
          ? `update set status = 'pending', attempts = 0, due_at = now(), claimed_until = null,
             ordinal = excluded.ordinal, replayed = true where webhook_deliveries.status <> 'pending'`
          : 'nothing'
      }`,
    values: [
      of(deliveries, 'tenantId'),
      of(deliveries, 'id'),
      of(deliveries, 'webhookId'),
      of(deliveries, 'eventId'),
      of(messages, 'eventId'),
      of(messages, 'kind'),
      of(messages, 'subject'),
      of(messages, 'body'),
      replayed,
    ],
  });
}

async function retryDeliveries(client: pg.ClientBase, retries: FanOut['retries']): Promise<void> {
  if (retries.length === 0) return;
  await client.query(
    `update work.webhook_deliveries d set status = 'pending', attempts = 0, due_at = now(), replayed = false
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as retried (tenant_id, webhook_id, id)
     where d.tenant_id = retried.tenant_id and d.webhook_id = retried.webhook_id and d.id = retried.id`,
    [
      retries.map(({ tenantId }) => tenantId),
      retries.map(({ webhookId }) => webhookId),
      retries.map(({ id }) => id),
    ],
  );
}

async function addReplays(client: pg.ClientBase, replays: FanOut['replays']): Promise<void> {
  for (const { tenantId, id, webhookId, lastPosition, ...stretch } of replays) {
    const [from, to] = [withinYears(stretch.from), withinYears(stretch.to)];
    await client.query(
      `insert into work.webhook_replays
         (tenant_id, id, webhook_id, from_time, to_time, last_position, position)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [tenantId, id, webhookId, from, to, lastPosition, await positionBefore(client, from)],
    );
  }
}

/** The years that JavaScript and Postgres write alike; no event occurred in another, whatever was asked for. */
const years = { first: Date.parse('0001-01-01T00:00:00Z'), last: Date.parse('9999-12-31T23:59:59.999Z') };

const withinYears = (moment: string): string =>
  new Date(Math.min(Math.max(Date.parse(moment), years.first), years.last)).toISOString();

async function noteChanges(client: pg.ClientBase, { changed, retries, deleted }: FanOut): Promise<void> {
  // A retry asks for an attempt at once.
  const resumed = [...changed, ...retries.map(({ webhookId }) => webhookId)];
  if (resumed.length > 0) {
    await client.query(
      `update work.webhook_endpoints set paused_until = null,
         failing_since = case when webhook_id = any($2::uuid[]) then null else failing_since end
       where webhook_id = any($1::uuid[])`,
      [resumed, changed],
    );
  }
  const gone = deleted.map(({ webhookId }) => webhookId);
  if (gone.length === 0) return;
  for (const table of ['webhook_replays', 'webhook_deliveries', 'webhook_endpoints']) {
    await client.query(`delete from work.${table} where webhook_id = any($1::uuid[])`, [gone]);
  }
}
