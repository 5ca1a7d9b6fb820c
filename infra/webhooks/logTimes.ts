import type pg from 'pg';
import type { LogTime } from '#ports/webhookDeliveries.ts';

export type LogTimes = {
  /** Whether nothing would be written down. */
  knows(readTo: LogTime): boolean;
  /** Writes down how far the log was read when a new minute began in it. */
  note(client: pg.ClientBase, readTo: LogTime): Promise<void>;
  /** What was noted is committed. */
  remember(readTo: LogTime): void;
};

const minuteOf = ({ occurredAt }: LogTime): number => Math.floor(occurredAt.getTime() / 60_000);

/**
 * Tells where in the log a moment is, by whatever engine. Only the first page of a minute is noted, and of a minute
 * that is behind a later one nothing: an event that was stamped ahead of its time makes replays begin earlier, and
 * never lets one be missed.
 */
export function createLogTimes(): LogTimes {
  let last = -Infinity;
  return {
    knows: (readTo) => minuteOf(readTo) <= last,
    note: async (client, readTo) => {
      if (minuteOf(readTo) <= last) return;
      await client.query(
        `insert into work.log_times (minute, position)
         select date_trunc('minute', $1::timestamptz), $2
         where not exists (select from work.log_times where minute >= date_trunc('minute', $1::timestamptz))`,
        [readTo.occurredAt, readTo.position],
      );
    },
    remember: (readTo) => {
      last = Math.max(last, minuteOf(readTo));
    },
  };
}

/** A position up to which all occurred before a moment; null: read from the beginning. */
export async function positionBefore(client: pg.ClientBase, moment: string): Promise<string | null> {
  const { rows } = await client.query<{ position: string }>(
    `select position from work.log_times
     where minute <= $1::timestamptz - interval '1 minute' order by minute desc limit 1`,
    [moment],
  );
  return rows[0]?.position ?? null;
}
