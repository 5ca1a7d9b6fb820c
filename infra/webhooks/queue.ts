import type pg from 'pg';
import { inTransaction } from '#infra/vault/tenantStatement.ts';
import { claimDeliveries, endpointLease } from '#infra/webhooks/claim.ts';
import type { Portion, ServedEndpoint } from '#infra/webhooks/claim.ts';
import { lockEndpoints } from '#infra/webhooks/endpointLock.ts';
import { recordVerdicts } from '#infra/webhooks/record.ts';
import type { Failing, Verdict } from '#infra/webhooks/record.ts';
import type { ClaimedDelivery } from '#ports/webhookSending.ts';

/** Deliveries that are ended in one transaction: others wait for it. */
const endedTogether = 5_000;

/** The deliveries that are to be sent, as workers share them. Each endpoint is served by one of them at a time. */
export type DeliveryQueue = {
  /** Endpoints that this worker may serve and has something to do for, but for those that it looks after anyway. */
  due(lookedAfter: readonly string[]): Promise<ServedEndpoint[]>;
  /** Takes what is due, in its order, and the endpoint with it; nobody else is given them for a while. */
  claim(endpoint: ServedEndpoint, portion: Portion): Promise<ClaimedDelivery[]>;
  /** Goes on serving endpoints; answers those that it still serves. */
  renew(webhookIds: readonly string[]): Promise<string[]>;
  /** Gives back what was not tried, unless another worker has inherited it. */
  release(webhookId: string, deliveries: readonly ClaimedDelivery[]): Promise<void>;
  /** Lets other workers serve an endpoint. */
  leave(webhookId: string): Promise<void>;
  record(webhookId: string, verdicts: readonly Verdict[]): Promise<Failing>;
  /** Ends all that is waiting. */
  giveUp(endpoint: ServedEndpoint, outcome: string): Promise<void>;
};

type DueRow = { tenant_id: string; webhook_id: string; changes: number };

/**
 * @param pool as the owner
 * @param worker a UUID, of whoever takes what is due
 */
export const createDeliveryQueue = (pool: pg.Pool, worker: string): DeliveryQueue => ({
  due: async (lookedAfter) => {
    const { rows } = await pool.query<DueRow>({
      name: 'webhooks due',
      // The first of each turn, by the index: with `exists` the planner reads all that is due.
      text: `select e.tenant_id, e.webhook_id, e.changes from work.webhook_endpoints e
        left join lateral (
          select true as is_there
          from unnest('{asked,retried,new,replayed}'::text[]) as turns (turn) cross join lateral (
            select from work.webhook_deliveries d
            where d.webhook_id = e.webhook_id and d.turn = turns.turn
              and d.status = 'pending' and d.due_at <= now()
              and (d.claimed_until is null or d.claimed_until < now() or e.served_by is distinct from $1)
            order by d.due_at, d.ordinal limit 1
          ) first
          where e.webhook_id <> all ($2::uuid[]) limit 1
        ) due on true
        where (e.served_by is null or e.served_by = $1 or e.served_until < now())
          and (e.paused_until is null or e.paused_until <= now())
          and (e.changes <> e.changes_seen or due.is_there)`,
      values: [worker, lookedAfter],
    });
    return rows.map((row) => ({
      tenantId: row.tenant_id,
      webhookId: row.webhook_id,
      changes: row.changes,
    }));
  },
  claim: (endpoint, portion) => claimDeliveries(pool, worker, endpoint, portion),
  renew: async (webhookIds) => {
    if (webhookIds.length === 0) return [];
    const { rows } = await pool.query<{ webhook_id: string }>(
      `with held as materialized (
         select webhook_id from work.webhook_endpoints
         where webhook_id = any ($1::uuid[]) and served_by = $2 order by webhook_id for update
       )
       update work.webhook_endpoints e set served_until = now() + $3 * interval '1 millisecond'
       from held where e.webhook_id = held.webhook_id
       returning e.webhook_id`,
      [webhookIds, worker, endpointLease],
    );
    return rows.map((row) => row.webhook_id);
  },
  release: async (webhookId, deliveries) => {
    if (deliveries.length === 0) return;
    await inTransaction(pool, async (client) => {
      await lockEndpoints(client, [webhookId]);
      await client.query(
        `update work.webhook_deliveries set claimed_until = null
         where tenant_id = any ($1::uuid[]) and id = any ($2::uuid[])
           and exists (select from work.webhook_endpoints where webhook_id = $3 and served_by = $4)`,
        [deliveries.map(({ tenantId }) => tenantId), deliveries.map(({ id }) => id), webhookId, worker],
      );
    });
  },
  leave: async (webhookId) => {
    await pool.query(
      `update work.webhook_endpoints set served_by = null, served_until = null
       where webhook_id = $1 and served_by = $2`,
      [webhookId, worker],
    );
  },
  record: (webhookId, verdicts) => recordVerdicts(pool, webhookId, verdicts),
  giveUp: async ({ webhookId, changes }, outcome) => {
    let ended: number;
    do {
      ended = await inTransaction(pool, async (client) => {
        await lockEndpoints(client, [webhookId]);
        return endSome(client, webhookId, outcome);
      });
    } while (ended === endedTogether);
    await pool.query(
      'update work.webhook_endpoints set changes_seen = greatest(changes_seen, $2) where webhook_id = $1',
      [webhookId, changes],
    );
  },
});

async function endSome(client: pg.ClientBase, webhookId: string, outcome: string): Promise<number> {
  const { rowCount } = await client.query(
    `update work.webhook_deliveries d
     set status = 'failed', outcome = $2, claimed_until = null, due_at = now()
     from (
       select tenant_id, id from work.webhook_deliveries
       where webhook_id = $1 and status = 'pending' limit $3
     ) waiting
     where d.tenant_id = waiting.tenant_id and d.id = waiting.id`,
    [webhookId, outcome, endedTogether],
  );
  return rowCount ?? 0;
}
