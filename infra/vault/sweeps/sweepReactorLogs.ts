import type pg from 'pg';
import { keptFor } from '#infra/vault/reactorLogs/rows.ts';

/** Forgets which invocations left logs that have expired, as the owner. */
export async function sweepReactorLogs(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(
    `delete from work.reactor_logs where started_at <= $1::timestamptz - interval '${keptFor} days'`,
    [now],
  );
}
