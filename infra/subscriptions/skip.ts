import type pg from 'pg';

/** The event is not the one that the subscriber is blocked by. */
export class NotBlocked extends Error {
  override readonly name = 'NotBlocked';
}

type Queryable = Pick<pg.ClientBase, 'query'>;

/**
 * Leaves an event out for a subscriber that is blocked by it, for good; with its next attempt, within ten seconds,
 * the subscriber goes on.
 * @throws NotBlocked
 */
export async function skip(client: Queryable, name: string, eventId: string): Promise<void> {
  const { rowCount } = await client.query(
    `insert into work.subscription_skips (name, event_id)
     select name, blocked_event from work.subscriptions where name = $1 and blocked_event = lower($2)
     on conflict (name, event_id) do update set skipped_at = now()`,
    [name, eventId],
  );
  if (rowCount !== 1) throw new NotBlocked(`the subscriber ${name} is not blocked by the event ${eventId}`);
}

/** Ids of the events that were left out. */
export async function readSkipped(client: Queryable, name: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ id: string }>(
    'select event_id as id from work.subscription_skips where name = $1',
    [name],
  );
  return new Set(rows.map(({ id }) => id));
}
