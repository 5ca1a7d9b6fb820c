import type pg from 'pg';
import { deletionOf } from '#infra/vault/payloads/deleteRows.ts';

export type Suspect = { tenant_id: string; id: string; stream: string };

/** Forgets what is no longer suspect of itself: payloads that are gone, or were stored again. */
export async function tidyQuarantine(pool: pg.Pool): Promise<void> {
  await pool.query(
    `delete from vault.quarantined_payloads q where not exists (
       select from vault.payloads p
       where p.tenant_id = q.tenant_id and p.id = q.payload_id
         and coalesce(p.stored_at, p.created_at) <= q.quarantined_at)`,
  );
}

/** What is there already keeps its time. */
export async function putIntoQuarantine(pool: pg.Pool, suspects: readonly Suspect[]): Promise<void> {
  await pool.query(
    `insert into vault.quarantined_payloads (tenant_id, payload_id, stream)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[]) on conflict do nothing`,
    [...keysOf(suspects), suspects.map(({ stream }) => stream)],
  );
}

export async function restoreFromQuarantine(pool: pg.Pool, payloads: readonly Suspect[]): Promise<void> {
  await pool.query(
    `delete from vault.quarantined_payloads q using unnest($1::uuid[], $2::uuid[]) r (tenant_id, id)
     where q.tenant_id = r.tenant_id and q.payload_id = r.id`,
    keysOf(payloads),
  );
}

/** Those for which an event was looked for the longest while ago, and not within ten minutes. */
export async function longestUnseen(pool: pg.Pool, limit: number): Promise<Suspect[]> {
  const { rows } = await pool.query<Suspect>(
    `update vault.quarantined_payloads q set looked_at = now()
     where (tenant_id, payload_id) in (
       select tenant_id, payload_id from vault.quarantined_payloads
       where looked_at < now() - interval '10 minutes' order by looked_at limit $1)
     returning tenant_id, payload_id as id, stream`,
    [limit],
  );
  return rows;
}

/** Those whose time in quarantine is over. @param length of the quarantine, in milliseconds */
export async function dueOf(
  pool: pg.Pool,
  length: number,
  limit: number,
  after: Pick<Suspect, 'tenant_id' | 'id'>,
): Promise<Suspect[]> {
  const { rows } = await pool.query<Suspect>(
    `select tenant_id, payload_id as id, stream from vault.quarantined_payloads
     where quarantined_at <= now() - make_interval(secs => $1 / 1000.0)
       and (tenant_id, payload_id) > ($2, $3)
     order by tenant_id, payload_id limit $4`,
    [length, after.tenant_id, after.id, limit],
  );
  return rows;
}

/**
 * Deletes payloads whose time in quarantine is over and that nobody stored again, found so in the statement that
 * deletes. Answers how many went.
 */
export async function deleteDue(pool: pg.Pool, length: number, due: readonly Suspect[]): Promise<number> {
  const { rowCount } = await pool.query(deletionStatement, [...keysOf(due), length]);
  return rowCount ?? 0;
}

/** The payload is locked, so that a writer who repeats it is waited for, or waits. */
const deletionStatement = deletionOf(`
  select p.tenant_id, p.id
  from unnest($1::uuid[], $2::uuid[]) d (tenant_id, id)
  join vault.quarantined_payloads q on q.tenant_id = d.tenant_id and q.payload_id = d.id
  join vault.payloads p on p.tenant_id = d.tenant_id and p.id = d.id
  where q.quarantined_at <= now() - make_interval(secs => $3 / 1000.0)
    and coalesce(p.stored_at, p.created_at) <= q.quarantined_at and p.expires_at is null
  for update of p`);

/** How many are in quarantine; and of how many payloads, counted no further than asked. */
export async function sizeOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int4 as count from vault.quarantined_payloads',
  );
  return rows[0]?.count ?? 0;
}

/** Whether there are at least so many payloads that stay. */
export async function holdsAtLeast(pool: pg.Pool, count: number): Promise<boolean> {
  const { rows } = await pool.query('select from vault.payloads where expires_at is null offset $1 limit 1', [
    Math.max(0, count - 1),
  ]);
  return rows.length === 1;
}

const keysOf = (payloads: readonly Suspect[]): [string[], string[]] => [
  payloads.map(({ tenant_id }) => tenant_id),
  payloads.map(({ id }) => id),
];
