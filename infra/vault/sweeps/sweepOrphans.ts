import type pg from 'pg';
import {
  deleteDue,
  dueOf,
  holdsAtLeast,
  longestUnseen,
  putIntoQuarantine,
  restoreFromQuarantine,
  sizeOf,
  tidyQuarantine,
} from '#infra/vault/sweeps/quarantine.ts';
import type { Suspect } from '#infra/vault/sweeps/quarantine.ts';
import { WrongLog } from '#ports/eventLog.ts';

/** A writer gives up long before: after this long an event refers to a payload, or probably never will. */
const suspectAfter = '1 hour';
const batch = 200;
/** Payloads in quarantine for which one run looks for an event again. */
const lookedAtAgain = 5_000;
/** So many orphans are plausible whatever their share: small installations have few payloads. */
const alwaysPlausible = 20;

/** Whether an event of this stream refers to the payload. */
export type IsReferenced = (tenantId: string, stream: string, payloadId: string) => Promise<boolean>;

export type OrphanSweep = {
  pool: pg.Pool;
  isReferenced: IsReferenced;
  /** @throws WrongLog when the log is not the one that the vault belongs to, or has lost events */
  requireLog: () => Promise<void>;
  /** How long an orphan stays in quarantine, in milliseconds. */
  quarantine: number;
  /** The part of all payloads, in percent, of which more are not taken for orphans. */
  plausibleShare: number;
};

export type Swept = { quarantined: number; restored: number; deleted: number };

/** The sweep met what no sound log brings about, and deleted nothing. */
export class SweepStopped extends Error {
  override readonly name = 'SweepStopped';
}

/**
 * Looks once at every payload that was stored an hour ago and puts those that no event refers to into quarantine, as the
 * owner; takes out those whose event has shown up, and deletes those whose time there is over. Everything goes by
 * PostgreSQL's clock. It continues where the last run came to, also after an error.
 * @throws SweepStopped having deleted nothing
 */
export async function sweepOrphans(sweep: OrphanSweep): Promise<Swept> {
  const { pool } = sweep;
  try {
    await sweep.requireLog();
    await tidyQuarantine(pool);
    const quarantined = await quarantineOrphans(sweep);
    const restored = await restoreReferenced(sweep);
    await requirePlausible(sweep);
    const deleted = await deleteOrphans(sweep);
    if (deleted > 0) await tidyQuarantine(pool);
    await recordStop(pool, null);
    return { quarantined, restored, deleted };
  } catch (error) {
    if (!(error instanceof SweepStopped || error instanceof WrongLog)) throw error;
    await recordStop(pool, error.message);
    throw error instanceof SweepStopped ? error : new SweepStopped(error.message, { cause: error });
  }
}

async function quarantineOrphans(sweep: OrphanSweep): Promise<number> {
  const { pool } = sweep;
  const until = await endOfScan(pool);
  let after = { at: await loadSweptTo(pool), id: '00000000-0000-0000-0000-000000000000' };
  let quarantined = 0;
  for (;;) {
    const candidates = await select(pool, after, until);
    const last = candidates.at(-1);
    if (last === undefined) break;
    const { orphans } = await sort(sweep, candidates);
    await putIntoQuarantine(pool, orphans);
    quarantined += orphans.length;
    after = { at: last.at, id: last.id };
    await saveSweptTo(pool, last.at);
  }
  await saveSweptTo(pool, until);
  return quarantined;
}

async function restoreReferenced(sweep: OrphanSweep): Promise<number> {
  const suspects = await longestUnseen(sweep.pool, lookedAtAgain);
  let restored = 0;
  for (let start = 0; start < suspects.length; start += batch) {
    const { referenced } = await sort(sweep, suspects.slice(start, start + batch));
    await restoreFromQuarantine(sweep.pool, referenced);
    restored += referenced.length;
  }
  return restored;
}

async function deleteOrphans(sweep: OrphanSweep): Promise<number> {
  const { pool, quarantine } = sweep;
  const nobody = '00000000-0000-0000-0000-000000000000';
  let after = { tenant_id: nobody, id: nobody };
  let deleted = 0;
  for (;;) {
    const due = await dueOf(pool, quarantine, batch, after);
    const last = due.at(-1);
    if (last === undefined) return deleted;
    const { orphans, referenced } = await sort(sweep, due);
    await restoreFromQuarantine(pool, referenced);
    // The log that said so has to be the right one still.
    await sweep.requireLog();
    deleted += await deleteDue(pool, quarantine, orphans);
    after = last;
  }
}

/** @throws SweepStopped */
async function requirePlausible({ pool, plausibleShare }: OrphanSweep): Promise<void> {
  const orphans = await sizeOf(pool);
  if (orphans <= alwaysPlausible) return;
  if (await holdsAtLeast(pool, Math.ceil((orphans * 100) / plausibleShare))) return;
  throw new SweepStopped(
    `${orphans} payloads, more than ${plausibleShare} % of all, have no event: ` +
      'look whether the event log has lost events; nothing is deleted meanwhile',
  );
}

/** Asks the log about each. */
async function sort<Payload extends Suspect>(
  { isReferenced }: OrphanSweep,
  payloads: readonly Payload[],
): Promise<{ orphans: Payload[]; referenced: Payload[] }> {
  const verdicts = await Promise.all(
    payloads.map(({ tenant_id, stream, id }) => isReferenced(tenant_id, stream, id)),
  );
  return {
    orphans: payloads.filter((_, index) => verdicts[index] === false),
    referenced: payloads.filter((_, index) => verdicts[index] === true),
  };
}

/** Times are kept as PostgreSQL writes them: to the microsecond. */
type Candidate = Suspect & { at: string };

async function select(pool: pg.Pool, after: { at: string; id: string }, until: string): Promise<Candidate[]> {
  const { rows } = await pool.query<Candidate>(
    `select tenant_id, id, stream, coalesce(stored_at, created_at)::text as at from vault.payloads
     where expires_at is null
       and (coalesce(stored_at, created_at), id) > ($1::timestamptz, $2)
       and coalesce(stored_at, created_at) <= $3::timestamptz
     order by coalesce(stored_at, created_at), id limit ${batch}`,
    [after.at, after.id, until],
  );
  return rows;
}

async function endOfScan(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ until: string }>(
    `select (now() - interval '${suspectAfter}')::text as until`,
  );
  return rows[0]?.until ?? '-infinity';
}

async function loadSweptTo(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ swept_to: string }>(
    "select swept_to::text from vault.sweeps where name = 'orphans'",
  );
  return rows[0]?.swept_to ?? '-infinity';
}

async function saveSweptTo(pool: pg.Pool, to: string): Promise<void> {
  await pool.query(
    `insert into vault.sweeps as s (name, swept_to) values ('orphans', $1)
     on conflict (name) do update set swept_to = greatest(s.swept_to, excluded.swept_to)`,
    [to],
  );
}

async function recordStop(pool: pg.Pool, reason: string | null): Promise<void> {
  await pool.query(
    `insert into vault.sweeps as s (name, swept_to, stopped) values ('orphans', '-infinity', $1)
     on conflict (name) do update set stopped = excluded.stopped where s.stopped is distinct from $1`,
    [reason],
  );
}
