import type pg from 'pg';

/** Runs while nothing keeps events from being changed: who owns the tables may say so. */
export async function withoutTriggers<Result>(
  client: pg.ClientBase,
  run: () => Promise<Result>,
): Promise<Result> {
  await client.query('alter table if exists event_log.events disable trigger user');
  try {
    return await run();
  } finally {
    await client.query('alter table if exists event_log.events enable trigger user');
  }
}
