import type pg from 'pg';
import { deletePayloads } from '#infra/vault/sweeps/sweepExpired.ts';

/** A writer gives up 60 s after its payload, so after this long an event refers to it or never will, in ms. */
const patience = 60 * 60_000;
const batch = 200;

/** Whether an event of this stream refers to the payload. */
export type IsReferenced = (tenantId: string, stream: string, payloadId: string) => Promise<boolean>;

type Candidate = { tenant_id: string; id: string; stream: string; created_at: Date };

/**
 * Looks once at every payload that became an hour old and deletes those that no event refers to, as the owner.
 * It continues where the last run came to, also after an error. Answers how many went.
 */
export async function sweepOrphans(pool: pg.Pool, now: Date, isReferenced: IsReferenced): Promise<number> {
  const until = new Date(now.getTime() - patience);
  let after = { createdAt: await loadSweptTo(pool), id: '00000000-0000-0000-0000-000000000000' };
  let deleted = 0;
  for (;;) {
    const candidates = await select(pool, after, until);
    const last = candidates.at(-1);
    if (last === undefined) break;
    const verdicts = await Promise.all(
      candidates.map(({ tenant_id, stream, id }) => isReferenced(tenant_id, stream, id)),
    );
    const orphans = candidates.filter((_, index) => verdicts[index] === false);
    await deletePayloads(pool, orphans);
    deleted += orphans.length;
    after = { createdAt: last.created_at, id: last.id };
    await saveSweptTo(pool, last.created_at);
  }
  await saveSweptTo(pool, until);
  return deleted;
}

async function select(
  pool: pg.Pool,
  after: { createdAt: Date; id: string },
  until: Date,
): Promise<Candidate[]> {
  const { rows } = await pool.query<Candidate>(
    `select tenant_id, id, stream, created_at from vault.payloads
     where expires_at is null and (created_at, id) > ($1, $2) and created_at <= $3
     order by created_at, id limit ${batch}`,
    [after.createdAt, after.id, until],
  );
  return rows;
}

async function loadSweptTo(pool: pg.Pool): Promise<Date> {
  const { rows } = await pool.query<{ swept_to: Date }>(
    "select swept_to from vault.sweeps where name = 'orphans'",
  );
  return rows[0]?.swept_to ?? new Date(0);
}

async function saveSweptTo(pool: pg.Pool, to: Date): Promise<void> {
  await pool.query(
    `insert into vault.sweeps as s (name, swept_to) values ('orphans', $1)
     on conflict (name) do update set swept_to = greatest(s.swept_to, excluded.swept_to)`,
    [to],
  );
}
