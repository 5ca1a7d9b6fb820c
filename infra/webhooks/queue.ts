import type pg from 'pg';
import type { ClaimedDelivery } from '#ports/webhookSending.ts';

/** A worker that dies keeps its deliveries for so long, in milliseconds. */
const lease = 60_000;

/** How an attempt ended, as it is written down. */
export type Verdict = {
  delivery: ClaimedDelivery;
  status: 'pending' | 'delivered' | 'failed';
  /** Until it is tried again, in milliseconds. */
  delay: number;
  /** For so long the receiver wants nothing at all, in milliseconds. */
  pause: number;
  outcome: string;
  responseStatus: number | undefined;
  milliseconds: number;
};

export type EndpointName = { tenantId: string; webhookId: string };

/** The deliveries that are to be sent, as workers share them. */
export type DeliveryQueue = {
  /** Endpoints for which something is due, but for those that are being served. */
  due(served: readonly string[]): Promise<EndpointName[]>;
  /**
   * Takes what is due, in its order; nobody else is given it for a while. What is replayed fills up what is new to
   * `mostReplayed`, so that what comes meanwhile waits for few of them.
   */
  claim(webhookId: string, most: number, mostReplayed: number): Promise<ClaimedDelivery[]>;
  /** Gives back what was not tried. */
  release(deliveries: readonly ClaimedDelivery[]): Promise<void>;
  /** Writes down how attempts ended. Answers for how long nothing was accepted, in milliseconds. */
  record(webhookId: string, verdicts: readonly Verdict[]): Promise<number>;
  /** Ends all that is waiting. */
  giveUp(webhookId: string, outcome: string): Promise<void>;
};

type Row = {
  tenant_id: string;
  id: string;
  webhook_id: string;
  event_id: string;
  subject: string;
  body: string;
  attempts: number;
  due_at: Date;
  replayed: boolean;
};

const dueOf = (which: 'replayed' | 'not replayed'): string => `
  select tenant_id, id from work.webhook_deliveries
  where webhook_id = $1 and ${which} and status = 'pending' and due_at <= now()
    and (claimed_until is null or claimed_until < now())
    and not exists (select from work.webhook_endpoints where webhook_id = $1 and paused_until > now())
  order by due_at, ordinal`;

/** @param pool as the owner */
export const createDeliveryQueue = (pool: pg.Pool): DeliveryQueue => ({
  due: async (served) => {
    const { rows } = await pool.query<{ tenant_id: string; webhook_id: string }>({
      name: 'webhooks due',
      text: `select e.tenant_id, e.webhook_id from work.webhook_endpoints e
        where e.webhook_id <> all ($1::uuid[]) and (e.paused_until is null or e.paused_until <= now()) and exists (
          select from work.webhook_deliveries d
          where d.webhook_id = e.webhook_id and d.status = 'pending' and d.due_at <= now()
            and (d.claimed_until is null or d.claimed_until < now()))`,
      values: [served],
    });
    return rows.map((row) => ({ tenantId: row.tenant_id, webhookId: row.webhook_id }));
  },
  claim: async (webhookId, most, mostReplayed) => {
    const { rows } = await pool.query<Row>({
      name: 'webhook deliveries claimed',
      text: `with live as materialized (${dueOf('not replayed')} limit $2 for update skip locked),
        replays as materialized (
          ${dueOf('replayed')} limit greatest(0, $3 - (select count(*) from live)) for update skip locked
        ), due as (select * from live union all select * from replays),
        claimed as (
          update work.webhook_deliveries d set claimed_until = now() + $4 * interval '1 millisecond'
          from due where d.tenant_id = due.tenant_id and d.id = due.id
          returning d.*
        )
        select tenant_id, id, webhook_id, event_id, subject, body, attempts, due_at, replayed
        from claimed
        order by replayed, due_at, ordinal`,
      values: [webhookId, most, mostReplayed, lease],
    });
    return rows.map((row) => ({
      tenantId: row.tenant_id,
      id: row.id,
      webhookId: row.webhook_id,
      eventId: row.event_id,
      subject: row.subject,
      body: row.body,
      attempts: row.attempts,
      dueAt: row.due_at,
      replayed: row.replayed,
    }));
  },
  release: async (deliveries) => {
    if (deliveries.length === 0) return;
    await pool.query(
      `update work.webhook_deliveries set claimed_until = null
       where tenant_id = any ($1::uuid[]) and id = any ($2::uuid[])`,
      [deliveries.map(({ tenantId }) => tenantId), deliveries.map(({ id }) => id)],
    );
  },
  record: async (webhookId, verdicts) => {
    const column = <Value>(of: (verdict: Verdict) => Value): Value[] => verdicts.map(of);
    const { rows } = await pool.query<{ failing: number }>({
      name: 'webhook attempts',
      text: `with ended as (
          select * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::float8[], $6::text[], $7::int4[], $8::int4[])
            as ended (tenant_id, id, status, delay, outcome, response_status, duration_ms)
        ), recorded as (
          update work.webhook_deliveries d
          set status = ended.status, attempts = d.attempts + 1, claimed_until = null,
            due_at = now() + ended.delay * interval '1 millisecond', outcome = ended.outcome,
            response_status = ended.response_status, duration_ms = ended.duration_ms, last_attempt_at = now()
          from ended where d.tenant_id = ended.tenant_id and d.id = ended.id
        )
        update work.webhook_endpoints
        set failing_since = case when 'delivered' = any ($4) then null else coalesce(failing_since, now()) end,
          paused_until = case when $9::float8 > 0 then now() + $9 * interval '1 millisecond' else paused_until end
        where webhook_id = $1
        returning coalesce(extract(epoch from now() - failing_since) * 1000, 0)::float8 as failing`,
      values: [
        webhookId,
        column(({ delivery }) => delivery.tenantId),
        column(({ delivery }) => delivery.id),
        column(({ status }) => status),
        column(({ delay }) => delay),
        column(({ outcome }) => outcome),
        column(({ responseStatus }) => responseStatus ?? null),
        column(({ milliseconds }) => milliseconds),
        Math.max(...verdicts.map(({ pause }) => pause)),
      ],
    });
    return rows[0]?.failing ?? 0;
  },
  giveUp: async (webhookId, outcome) => {
    await pool.query(
      `update work.webhook_deliveries set status = 'failed', outcome = $2, claimed_until = null
       where webhook_id = $1 and status = 'pending'`,
      [webhookId, outcome],
    );
  },
});
