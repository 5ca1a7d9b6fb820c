import type pg from 'pg';
import type { ClaimedDelivery } from '#ports/webhookSending.ts';

/** What a worker took and could not write down is sent again after so long, in milliseconds. */
const lease = 60_000;
/** A worker that dies keeps its endpoints for so long, in milliseconds; one that lives renews it. */
export const endpointLease = 15_000;

/** An endpoint that there is something to do for. */
export type ServedEndpoint = {
  tenantId: string;
  webhookId: string;
  /** How often clients had changed it by then. */
  changes: number;
};

/** How many deliveries are taken at most. */
export type Portion = {
  most: number;
  /** Of these, that were tried before. */
  retried: number;
  /** What is replayed fills up all else to so many, so that what comes meanwhile waits for few of them. */
  replayed: number;
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

const dueOf = (turn: string, most: string): string => `
  select tenant_id, id from work.webhook_deliveries
  where webhook_id = (select webhook_id from served) and turn = '${turn}'
    and status = 'pending' and due_at <= now()
    and (claimed_until is null or claimed_until < now() or (select is_inherited from served))
  order by due_at, ordinal limit ${most} for update skip locked`;

const besides = (most: string, ...others: string[]): string =>
  `greatest(0, ${[most, ...others.map((other) => `(select count(*) from ${other})`)].join(' - ')})`;

/**
 * Of an endpoint that another worker serves, or that wants nothing now, nothing is taken. Whoever inherits one takes
 * what a worker had taken that died: it goes before what is behind it.
 */
const text = `
  with known as materialized (
    select webhook_id, served_by is distinct from $2::uuid as is_inherited from work.webhook_endpoints
    where webhook_id = $1 and (served_by is null or served_by = $2 or served_until < now())
      and (paused_until is null or paused_until <= now())
    for update
  ), served as materialized (
    update work.webhook_endpoints e
    set served_by = $2, served_until = now() + $8 * interval '1 millisecond',
      changes_seen = greatest(changes_seen, $4)
    from known where e.webhook_id = known.webhook_id
    returning e.webhook_id, known.is_inherited
  ), asked as materialized (${dueOf('asked', '$5::int8')}),
  retried as materialized (${dueOf('retried', `least($6::int8, ${besides('$5::int8', 'asked')})`)}),
  new as materialized (${dueOf('new', besides('$5::int8', 'asked', 'retried'))}),
  replayed as materialized (${dueOf('replayed', besides('$7::int8', 'asked', 'retried', 'new'))}),
  due as (
    select * from asked union all select * from retried union all select * from new union all select * from replayed
  ), claimed as (
    update work.webhook_deliveries d set claimed_until = now() + $3 * interval '1 millisecond'
    from due where d.tenant_id = due.tenant_id and d.id = due.id
    returning d.*
  )
  select tenant_id, id, webhook_id, event_id, subject, body, attempts, due_at, replayed from claimed
  order by array_position(array['asked', 'retried', 'new', 'replayed'], turn), due_at, ordinal`;

/** Takes what is due at an endpoint, in its order; nobody else is given any of it for a while. */
export async function claimDeliveries(
  pool: pg.Pool,
  worker: string,
  { webhookId, changes }: ServedEndpoint,
  { most, retried, replayed }: Portion,
): Promise<ClaimedDelivery[]> {
  const { rows } = await pool.query<Row>({
    name: 'webhook deliveries claimed',
    text,
    values: [webhookId, worker, lease, changes, most, retried, replayed, endpointLease],
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
}
