import type { VaultService } from '#test/support/vaultService.ts';
import { until } from '#test/support/until.ts';

/** Waits until somebody waits for a lock in the database of the service. */
export const untilSomebodyWaits = ({ composition: { pools } }: VaultService): Promise<boolean> =>
  until(async () => {
    const { rows } = await pools.owner.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
