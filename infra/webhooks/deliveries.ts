import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { asTenant } from '#infra/vault/tenantStatement.ts';
import { rowByKey } from '#ports/readModels.ts';
import type { Delivery, DeliveryStatus, WebhookDeliveries } from '#ports/webhookDeliveries.ts';

type Row = {
  id: string;
  webhook_id: string;
  event_id: string;
  kind: string;
  status: DeliveryStatus;
  attempts: number;
  outcome: string | null;
  response_status: number | null;
  duration_ms: number | null;
  last_attempt_at: Date | null;
  due_at: Date;
  created_at: Date;
  ordinal: string;
};

/** @param pool in the role `holdfast_api` */
export const createWebhookDeliveries = (pool: pg.Pool): WebhookDeliveries => ({
  list: (tenantId, webhookId, { status, after, size }) =>
    reachable(async () => {
      const { rows } = await pool.query<Row>({
        name: 'webhook deliveries listed',
        text: `${asTenant}
          select found.* from tenant cross join lateral (
            select id, webhook_id, event_id, kind, status, attempts, outcome, response_status, duration_ms,
              last_attempt_at, due_at, created_at, ordinal
            from work.webhook_deliveries
            where tenant_id = tenant.id and webhook_id = $2
              and ($3::text is null or status = $3) and ($4::int8 is null or ordinal < $4)
            order by ordinal desc limit $5 offset 0
          ) found order by found.ordinal desc`,
        values: [tenantId, webhookId, status ?? null, after ?? null, size],
      });
      return rows.map(deliveryOf);
    }),
  has: (tenantId, webhookId, id) =>
    reachable(async () => {
      const { rowCount } = await pool.query({
        name: 'webhook delivery known',
        text: `${asTenant}
          select from tenant cross join ${rowByKey('work.webhook_deliveries', '$3')} found where found.webhook_id = $2`,
        values: [tenantId, webhookId, id],
      });
      return rowCount === 1;
    }),
  openReplays: (tenantId, webhookId) =>
    reachable(async () => {
      const { rows } = await pool.query<{ count: number }>({
        name: 'webhook replays counted',
        text: `${asTenant}
          select open.count from tenant cross join lateral (
            select count(*)::int4 as count from work.webhook_replays
            where tenant_id = tenant.id and webhook_id = $2 offset 0
          ) open`,
        values: [tenantId, webhookId],
      });
      return rows[0]?.count ?? 0;
    }),
});

const deliveryOf = (row: Row): Delivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  eventId: row.event_id,
  kind: row.kind,
  status: row.status,
  attempts: row.attempts,
  outcome: row.outcome ?? undefined,
  responseStatus: row.response_status ?? undefined,
  milliseconds: row.duration_ms ?? undefined,
  lastAttemptAt: row.last_attempt_at ?? undefined,
  nextAttemptAt: row.status === 'pending' ? row.due_at : undefined,
  createdAt: row.created_at,
  ordinal: row.ordinal,
});
