import type pg from 'pg';
import type { Position } from '#ports/eventLog.ts';

/** How a subscriber stands. */
export type Standing = {
  name: string;
  position: Position | null;
  /** For how long it has failed, in seconds; 0: it has not. */
  failingSeconds: number;
  /** For how long nothing of it was written down, in seconds. */
  unmovedSeconds: number;
  lastError: string | null;
  /** The event that it cannot handle, when it is known to be one; null: none. */
  blocked: { id: string; type: string; position: Position } | null;
  /** Events that were left out for it. */
  skipped: number;
};

type Row = Omit<Standing, 'blocked'> & {
  blockedId: string | null;
  blockedType: string;
  blockedPosition: Position;
};

/** Of every subscriber of the service, by name. @param pool as the owner */
export async function standings(pool: pg.Pool): Promise<Standing[]> {
  const { rows } = await pool.query<Row>(
    `select name, position, last_error as "lastError",
       coalesce(extract(epoch from now() - failing_since), 0)::float8 as "failingSeconds",
       extract(epoch from now() - updated_at)::float8 as "unmovedSeconds",
       blocked_event as "blockedId", blocked_type as "blockedType", blocked_position as "blockedPosition",
       (select count(*) from work.subscription_skips skip where skip.name = subscription.name)::int4 as skipped
     from work.subscriptions subscription order by name`,
  );
  return rows.map(({ blockedId: id, blockedType: type, blockedPosition: position, ...standing }) => ({
    ...standing,
    blocked: id === null ? null : { id, type, position },
  }));
}
