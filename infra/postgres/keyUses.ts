import type pg from 'pg';
import type { Clock } from '#ports/clock.ts';
import type { KeyUses } from '#ports/keyUses.ts';
import type { Logger } from '#ports/logger.ts';

/** How long a use may stay unwritten, in milliseconds. */
const interval = 10_000;

export type RunningKeyUses = KeyUses & {
  /** Writes down what is not written yet. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Gathers uses of keys and writes them down from time to time: a request must not wait for that, and nothing but
 * the view of keys depends on it.
 * @param pool of the owner: the uses of all tenants are written together
 */
export function createKeyUses(pool: pg.Pool, clock: Clock, logger: Logger): RunningKeyUses {
  const used = new Map<string, { tenantId: string; at: Date }>();

  async function flush(): Promise<void> {
    const uses = [...used];
    if (uses.length === 0) return;
    used.clear();
    try {
      await pool.query(
        `insert into work.key_uses as known (tenant_id, key_id, last_used_at)
         select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[])
         on conflict (tenant_id, key_id)
           do update set last_used_at = greatest(known.last_used_at, excluded.last_used_at)`,
        [uses.map(([, use]) => use.tenantId), uses.map(([keyId]) => keyId), uses.map(([, use]) => use.at)],
      );
    } catch (error) {
      logger.warn({ err: error }, 'the last uses of keys could not be written down');
    }
  }

  const timer = setInterval(() => void flush(), interval).unref();
  return {
    touch: (tenantId, keyId) => {
      used.set(keyId, { tenantId, at: clock.now() });
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
