import type pg from 'pg';

/** Forgets idempotency keys that are a day old, as the owner; their answers expire by themselves. */
export async function sweepIdempotencyKeys(pool: pg.Pool, now: Date): Promise<number> {
  const { rowCount } = await pool.query('delete from work.idempotency_keys where expires_at <= $1', [now]);
  return rowCount ?? 0;
}
