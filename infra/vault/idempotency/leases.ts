import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { asTenant } from '#infra/vault/tenantStatement.ts';

/** Names one idempotency key of one tenant; the digest covers application, method, route and key. */
export type Slot = { tenantId: string; digest: Uint8Array };

export type Lease = { commandId: string; holder: string };

/** After this long without an end a claim may be taken over, by PostgreSQL's clock. */
const leaseLength = `interval '30 seconds'`;

export type Answered = { commandId: string; status: number; answerId: string | null };

/** Takes a slot that is free, forgotten, or whose holder went silent; undefined when it is not to be had. */
export async function takeLease(
  pool: pg.Pool,
  { tenantId, digest }: Slot,
  fresh: Lease,
  times: { now: Date; expiresAt: Date },
): Promise<Lease | undefined> {
  const { rows } = await reachable(() =>
    pool.query<{ command_id: string }>({
      name: 'idempotency claim',
      text: `${asTenant}
        insert into work.idempotency_keys as held
          (tenant_id, digest, command_id, holder, lease_until, expires_at)
        select tenant.id, $2, $3, $4, now() + ${leaseLength}, $5 from tenant
        on conflict (tenant_id, digest) do update set
          command_id = case when held.expires_at <= $6 then excluded.command_id else held.command_id end,
          expires_at = case when held.expires_at <= $6 then excluded.expires_at else held.expires_at end,
          holder = excluded.holder, lease_until = excluded.lease_until, status = null, answer_id = null
        where held.expires_at <= $6 or (held.status is null and held.lease_until <= now())
        returning command_id`,
      values: [tenantId, digest, fresh.commandId, fresh.holder, times.expiresAt, times.now],
    }),
  );
  const [row] = rows;
  return row && { commandId: row.command_id, holder: fresh.holder };
}

/** The answer that lies in a slot, or that there is none yet; undefined when the slot is free. */
export async function findAnswer(
  pool: pg.Pool,
  { tenantId, digest }: Slot,
): Promise<Answered | 'none_yet' | undefined> {
  const { rows } = await reachable(() =>
    pool.query<{ command_id: string; status: number | null; answer_id: string | null }>({
      name: 'idempotency answer',
      text: `${asTenant}
        select k.* from tenant cross join lateral (
          select command_id, status, answer_id from work.idempotency_keys
          where tenant_id = tenant.id and digest = $2 offset 0
        ) k`,
      values: [tenantId, digest],
    }),
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  if (row.status === null) return 'none_yet';
  return { commandId: row.command_id, status: row.status, answerId: row.answer_id };
}

/** Takes a slot whose answer is gone before its day was over, under the command id that gave the answer. */
export async function takeOverAnswered(
  pool: pg.Pool,
  { tenantId, digest }: Slot,
  lease: Lease,
  answerId: string,
  expiresAt: Date,
): Promise<boolean> {
  const { rows } = await reachable(() =>
    pool.query({
      name: 'idempotency take over',
      text: `${asTenant}
        insert into work.idempotency_keys as held
          (tenant_id, digest, command_id, holder, lease_until, expires_at)
        select tenant.id, $2, $3, $4, now() + ${leaseLength}, $5 from tenant
        on conflict (tenant_id, digest) do update set
          holder = excluded.holder, lease_until = excluded.lease_until, status = null, answer_id = null
        where held.answer_id = $6
        returning command_id`,
      values: [tenantId, digest, lease.commandId, lease.holder, expiresAt, answerId],
    }),
  );
  return rows.length === 1;
}

/** Ends a lease with an answer; a holder whose lease was taken over changes nothing. */
export async function endWithAnswer(
  pool: pg.Pool,
  { tenantId, digest }: Slot,
  lease: Lease,
  answer: { status: number; answerId: string | null },
  expiresAt: Date,
): Promise<void> {
  await reachable(() =>
    pool.query({
      name: 'idempotency succeed',
      text: `${asTenant}
        insert into work.idempotency_keys as held
          (tenant_id, digest, command_id, holder, lease_until, expires_at, status, answer_id)
        select tenant.id, $2, $3, $4, now(), $5, $6, $7 from tenant
        on conflict (tenant_id, digest) do update set status = excluded.status, answer_id = excluded.answer_id
        where held.holder = excluded.holder`,
      values: [tenantId, digest, lease.commandId, lease.holder, expiresAt, answer.status, answer.answerId],
    }),
  );
}

/** Ends a lease without an answer: the slot counts as free, and its command id is never used again. */
export const endWithout = (pool: pg.Pool, slot: Slot, lease: Lease): Promise<void> =>
  end(pool, slot, lease, 'expires_at');

/** Ends a lease without a word on what happened: the next one takes over its command id. */
export const abandonLease = (pool: pg.Pool, slot: Slot, lease: Lease): Promise<void> =>
  end(pool, slot, lease, 'lease_until');

/** Moves one of the times of a slot that still has this holder to the beginning of time. */
async function end(
  pool: pg.Pool,
  { tenantId, digest }: Slot,
  lease: Lease,
  time: 'expires_at' | 'lease_until',
): Promise<void> {
  await reachable(() =>
    pool.query({
      name: `idempotency end ${time}`,
      text: `${asTenant}
        insert into work.idempotency_keys as held
          (tenant_id, digest, command_id, holder, lease_until, expires_at)
        select tenant.id, $2, $3, $4, '-infinity', '-infinity' from tenant
        on conflict (tenant_id, digest) do update set ${time} = excluded.${time}
        where held.holder = excluded.holder and held.status is null`,
      values: [tenantId, digest, lease.commandId, lease.holder],
    }),
  );
}
