import type pg from 'pg';
import { oldestLiveEpoch, shortLivedLifetime } from '#infra/vault/shortLived/epochs.ts';
import { inTransaction } from '#infra/vault/tenantStatement.ts';

/** The timer that records their end comes every minute, and may have much to do, in milliseconds. */
export const patience = 30 * 60_000;

/**
 * Takes away the epoch keys that nothing needs any more, and short-lived parts that nobody has taken away although
 * their hour was over a while ago; to be run every minute, as the owner. Answers how many parts went.
 */
export async function sweepShortLived(pool: pg.Pool, now: Date): Promise<number> {
  const { rowCount } = await pool.query('delete from vault.short_lived_parts where stored_at <= $1', [
    new Date(now.getTime() - shortLivedLifetime - patience),
  ]);
  await destroyEpochKeys(pool, oldestLiveEpoch(now));
  return rowCount ?? 0;
}

/**
 * Writes the epoch keys that live on into a new file: a mere delete would leave the others readable in the old
 * one until something happens to be written over them.
 */
async function destroyEpochKeys(pool: pg.Pool, oldestLive: number): Promise<void> {
  const { rows } = await pool.query('select from vault.epoch_keys where epoch < $1 limit 1', [oldestLive]);
  if (rows.length === 0) return;
  await inTransaction(pool, async (client) => {
    await client.query("set local lock_timeout = '2s'");
    await client.query('lock table vault.epoch_keys in access exclusive mode');
    await client.query(
      `create temporary table live_epoch_keys on commit drop as
         select * from vault.epoch_keys where epoch >= ${oldestLive}`,
    );
    await client.query('truncate vault.epoch_keys');
    await client.query('insert into vault.epoch_keys select * from live_epoch_keys');
  });
}
