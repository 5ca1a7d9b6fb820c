import type pg from 'pg';
import { isPassing } from '#infra/postgres/failure.ts';
import { LogUnavailable } from '#ports/eventLog.ts';

/** The installation that the log belongs to; null: to none yet. @throws LogUnavailable */
export async function readOwner(pool: pg.Pool): Promise<string | null> {
  const { rows } = await reached(
    pool.query<{ id: string | null }>('select installation_id as id from event_log.identity'),
  );
  return rows[0]?.id ?? null;
}

/** Gives the log to an installation, if it still belongs to the one that is named. @throws LogUnavailable */
export async function writeOwner(pool: pg.Pool, owner: string, instead: string | null): Promise<boolean> {
  const { rowCount } = await reached(
    pool.query(
      'update event_log.identity set installation_id = $1 where installation_id is not distinct from $2',
      [owner, instead],
    ),
  );
  return rowCount === 1;
}

async function reached<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    if (isPassing(error)) throw new LogUnavailable('the event log cannot be reached', { cause: error });
    throw error;
  }
}
