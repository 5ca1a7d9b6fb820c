import type pg from 'pg';

/** Forgets who came by: counters that ended a while ago. @param pool of the owner */
export async function sweepRateCounts(pool: pg.Pool): Promise<void> {
  await pool.query("delete from work.rate_counts where ends_at < clock_timestamp() - interval '1 minute'");
}
