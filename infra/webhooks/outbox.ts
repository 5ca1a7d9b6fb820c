import type pg from 'pg';
import { pingKind } from '#domain/webhook/kinds.ts';
import { lockEndpoints } from '#infra/webhooks/endpointLock.ts';
import { createLogTimes, positionBefore } from '#infra/webhooks/logTimes.ts';
import type { DeliveryToMake, FanOut, WebhookOutbox } from '#ports/webhookDeliveries.ts';

/** Wakes those who send. */
export const deliveryChannel = 'webhook_deliveries';

/** Transactions are the owner's. */
export function createWebhookOutbox(): WebhookOutbox<pg.ClientBase> {
  const logTimes = createLogTimes();
  return {
    add: async (client, fanOut) => {
      const { deliveries, retries, replays, changed, deleted, readTo } = fanOut;
      const toDo = deliveries.length + retries.length + replays.length + changed.length;
      if (toDo + deleted.length === 0 && logTimes.knows(readTo)) return;
      const gone = deleted.map(({ webhookId }) => webhookId);
      // Replays, endpoints, deliveries: everybody locks them in this order, and so nobody waits in a circle.
      await addReplays(client, replays);
      await deleteFrom(client, 'webhook_replays', gone);
      await lockEndpoints(client, [...changed, ...retries.map(({ webhookId }) => webhookId), ...gone]);
      await addDeliveries(client, deliveries);
      await retryDeliveries(client, retries);
      await noteChanges(client, fanOut);
      await deleteFrom(client, 'webhook_deliveries', gone);
      await deleteFrom(client, 'webhook_endpoints', gone);
      await logTimes.note(client, readTo);
      if (toDo > 0) await wakeSenders(client, fanOut);
      // When this is undone, replays of that minute begin earlier.
      logTimes.remember(readTo);
    },
    forgetTenant: async (client, tenantId) => {
      await client.query('delete from work.webhook_replays where tenant_id = $1', [tenantId]);
      await client.query(
        'select from work.webhook_endpoints where tenant_id = $1 order by webhook_id for update',
        [tenantId],
      );
      await client.query('delete from work.webhook_deliveries where tenant_id = $1', [tenantId]);
      await client.query('delete from work.webhook_endpoints where tenant_id = $1', [tenantId]);
      await client.query('delete from work.webhook_replay_turns where tenant_id = $1', [tenantId]);
    },
  };
}

type Table = 'webhook_replays' | 'webhook_deliveries' | 'webhook_endpoints';

async function deleteFrom(client: pg.ClientBase, table: Table, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  await client.query(`delete from work.${table} where webhook_id = any ($1::uuid[])`, [webhookIds]);
}

/** Names the endpoints at which somebody waits for an attempt. */
async function wakeSenders(client: pg.ClientBase, { deliveries, retries }: FanOut): Promise<void> {
  const asked = [...deliveries.filter(({ kind }) => kind === pingKind), ...retries];
  const names = new Set(['', ...asked.map(({ webhookId }) => webhookId)]);
  await client.query('select pg_notify($1, name) from unnest($2::text[]) as name', [
    deliveryChannel,
    [...names],
  ]);
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
  // New rows are nobody's yet, and so need no lock; rows that are sent again may be somebody's.
  if (replayed) await lockEndpoints(client, [...new Set(of(deliveries, 'webhookId'))]);
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
        -- One that is known is not even tried: that would wait for whoever works on it.
        select distinct tenant_id, webhook_id from made
        where not exists (select from work.webhook_endpoints known where known.webhook_id = made.webhook_id)
        order by webhook_id on conflict do nothing
      )
      insert into work.webhook_deliveries (tenant_id, id, webhook_id, event_id, kind, subject, body, replayed, turn)
      select tenant_id, id, webhook_id, event_id, kind, subject, body, $9,
        case when $9 then 'replayed' when kind = '${pingKind}' then 'asked' else 'new' end
      from made order by place
      on conflict (tenant_id, id) do ${
        replayed
          ? `update set status = 'pending', attempts = 0, due_at = now(), claimed_until = null,
             ordinal = excluded.ordinal, replayed = true, turn = 'replayed' where webhook_deliveries.status <> 'pending'`
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
  // One that is under way is taken again all the same: it waits in its lane until that has ended.
  await client.query(
    `update work.webhook_deliveries d
     set status = 'pending', attempts = 0, due_at = now(), claimed_until = null, replayed = false, turn = 'asked'
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as retried (tenant_id, webhook_id, id)
     where d.tenant_id = retried.tenant_id and d.id = retried.id
       and d.webhook_id is not distinct from retried.webhook_id`,
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

async function noteChanges(client: pg.ClientBase, { changed, retries }: FanOut): Promise<void> {
  // A retry asks for an attempt at once.
  const resumed = [...changed, ...retries.map(({ webhookId }) => webhookId)];
  if (resumed.length > 0) {
    await client.query(
      'update work.webhook_endpoints set paused_until = null where webhook_id = any ($1::uuid[])',
      [resumed],
    );
  }
  if (changed.length === 0) return;
  await client.query(
    `update work.webhook_endpoints
     set changes = changes + 1, failing_since = null, failing_for = 0, failed_at = null
     where webhook_id = any ($1::uuid[])`,
    [changed],
  );
}
