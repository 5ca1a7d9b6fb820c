import type pg from 'pg';
import type { ClaimedDelivery } from '#ports/webhookSending.ts';

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

/** For how long an endpoint has accepted nothing, in milliseconds: by the clock, and as far as it was tried. */
export type Failing = { since: number; seen: number };

/** Milliseconds between two attempts that count as seen to fail; beyond, nobody may have tried. */
const longestSeen = 60_000;

/**
 * Writes down how attempts ended. A delivery that was ended meanwhile stays ended, unless it was accepted.
 */
export async function recordVerdicts(
  pool: pg.Pool,
  webhookId: string,
  verdicts: readonly Verdict[],
): Promise<Failing> {
  const column = <Value>(of: (verdict: Verdict) => Value): Value[] => verdicts.map(of);
  const { rows } = await pool.query<Failing>({
    name: 'webhook attempts',
    text: `with endpoint as materialized (
        update work.webhook_endpoints
        set failing_since = case when 'delivered' = any ($4) then null else coalesce(failing_since, now()) end,
          failing_for = case when 'delivered' = any ($4) then 0 else failing_for
            + least($10::float8, coalesce(extract(epoch from now() - failed_at) * 1000, 0)) end,
          failed_at = case when 'delivered' = any ($4) then null else now() end,
          paused_until = case when $9::float8 > 0 then now() + $9 * interval '1 millisecond' else paused_until end
        where webhook_id = $1
        returning webhook_id, failing_for as seen,
          coalesce(extract(epoch from now() - failing_since) * 1000, 0)::float8 as since
      ), ended as (
        select * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::float8[], $6::text[], $7::int4[], $8::int4[])
          as ended (tenant_id, id, status, delay, outcome, response_status, duration_ms)
      ), recorded as (
        update work.webhook_deliveries d
        set status = case when d.status = 'failed' and ended.status = 'pending' then d.status else ended.status end,
          turn = case when d.replayed then 'replayed' else 'retried' end,
          attempts = d.attempts + 1, claimed_until = null,
          due_at = now() + ended.delay * interval '1 millisecond', outcome = ended.outcome,
          response_status = ended.response_status, duration_ms = ended.duration_ms, last_attempt_at = now()
        from ended
        -- By the key alone: beside the webhook's id, the planner may read all of that webhook for each.
        where (select webhook_id from endpoint) is not null and d.tenant_id = ended.tenant_id and d.id = ended.id
      )
      select since, seen from endpoint`,
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
      longestSeen,
    ],
  });
  return rows[0] ?? { since: 0, seen: 0 };
}
