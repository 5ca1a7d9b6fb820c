import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '#ports/logger.ts';
import { reachable } from '#infra/postgres/failure.ts';
import type { Keyring } from '#infra/vault/keys/keyring.ts';

/** A process tells this often which generation of keys it uses, in milliseconds. */
const interval = 2_000;

/** A process that was silent for this long is taken for gone; its writes are still checked. In seconds. */
export const silence = 60;

export type KeyReports = { start(): Promise<void>; close(): Promise<void> };

/**
 * Keeps a process up with changes of tenant keys: it drops what it holds when the generation moved, and reports
 * the new generation only after that. An old key version retires when all processes have reported.
 */
export function createKeyReports(pool: pg.Pool, keyring: Keyring, logger: Logger): KeyReports {
  const processId = randomUUID();
  let applied: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reporting: Promise<void> = Promise.resolve();

  const report = async (): Promise<void> => {
    keyring.dropExpired();
    let current = await exchange(pool, processId, applied);
    while (current !== applied) {
      keyring.dropAll();
      applied = current;
      current = await exchange(pool, processId, applied);
    }
  };

  const beat = (): void => {
    reporting = report()
      .catch((error: unknown) => {
        logger.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'key report failed');
      })
      .finally(() => {
        if (timer !== undefined) timer = setTimeout(beat, interval).unref();
      });
  };

  return {
    start: async () => {
      await report();
      timer = setTimeout(beat, interval).unref();
    },
    close: async () => {
      clearTimeout(timer);
      timer = undefined;
      await reporting;
      await pool
        .query('delete from vault.key_processes where process_id = $1', [processId])
        .catch(() => undefined);
    },
  };
}

/** Reports a generation and learns the current one. @throws StoreUnavailable */
async function exchange(pool: pg.Pool, processId: string, applied: string | undefined): Promise<string> {
  const { rows } = await reachable(() =>
    pool.query<{ generation: string }>({
      name: 'vault report keys',
      text: `
      with current as materialized (select generation from vault.key_state),
      reported as (
        insert into vault.key_processes (process_id, generation, seen_at)
        select $1, coalesce($2::int8, 0), now()
        on conflict (process_id) do update set generation = excluded.generation, seen_at = excluded.seen_at
      )
      select generation from current`,
      values: [processId, applied ?? null],
    }),
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the key state is missing');
  return row.generation;
}
