import { schedule } from 'node-cron';
import type { ScheduledTask } from 'node-cron';
import type pg from 'pg';
import type { Logger } from '#ports/logger.ts';
import type { Timer } from '#ports/timer.ts';

/** The first key of the advisory locks; the second is the timer's. */
const lockClass = 4_650_121;

export type Scheduler = { start(): void; stop(): Promise<void> };

/**
 * Runs timers, each once at the start and then by its schedule, in one process at a time. Within this process
 * they take turns, so that they never want more than two connections.
 */
export function createScheduler({
  pool,
  timers,
  logger,
}: {
  pool: pg.Pool;
  timers: readonly Timer[];
  logger: Logger;
}): Scheduler {
  const waiting = new Set<string>();
  let turn: Promise<void> = Promise.resolve();
  let tasks: ScheduledTask[] = [];

  const enqueue = (timer: Timer): void => {
    if (waiting.has(timer.name)) return;
    waiting.add(timer.name);
    turn = turn.then(async () => {
      waiting.delete(timer.name);
      await runAlone(pool, timer).catch((error: unknown) => {
        logger.warn({ err: error, timer: timer.name }, 'a timer failed and runs again at its next time');
      });
    });
  };

  return {
    start: () => {
      tasks = timers.map((timer) =>
        schedule(timer.schedule, () => {
          enqueue(timer);
        }),
      );
      timers.forEach(enqueue);
    },
    stop: async () => {
      for (const task of tasks) await task.destroy();
      await turn;
    },
  };
}

/** Runs a timer unless another process is at it. */
async function runAlone(pool: pg.Pool, timer: Timer): Promise<void> {
  const client = await pool.connect();
  const key = [lockClass, timer.name];
  try {
    const asked = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as held',
      key,
    );
    if (asked.rows[0]?.held !== true) return;
    try {
      await timer.run();
    } finally {
      await client.query('select pg_advisory_unlock($1, hashtext($2))', key);
    }
  } finally {
    client.release();
  }
}
