import type pg from 'pg';

const mostFaults = 20;

export type StreamsVerified = { events: number; faults: string[] };

/** Counts the events of the log in PostgreSQL, and finds streams of which events are missing. */
export async function verifyStreams(database: Pick<pg.Pool, 'query'>): Promise<StreamsVerified> {
  const { rows } = await database.query<{ events: string; broken: string[] | null }>(`
    with streams as (
      select stream, count(*) as events, max(revision) as last from event_log.events group by stream
    )
    select coalesce(sum(events), 0)::text as events,
      (array_agg(stream) filter (where events <> last + 1))[1:${mostFaults}] as broken
    from streams`);
  const [row] = rows;
  return {
    events: Number(row?.events ?? 0),
    faults: (row?.broken ?? []).map((stream) => `stream ${stream}: events of it are missing`),
  };
}
