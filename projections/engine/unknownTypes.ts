import { refuseUnreadable } from '#ports/eventLog.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { UnknownEventType } from '#projections/engine/engine.ts';
import type { Queryable, Statement } from '#projections/engine/session.ts';
import { prepared } from '#projections/engine/session.ts';

export type UnknownType = { type: string; events: number; lastPosition: string };

/** Remembers the events whose types this version does not know. */
export function recordUnknownTypes(
  known: ReadonlySet<string>,
  events: readonly RecordedEvent[],
): Statement[] {
  const unknown = new Map<string, UnknownType>();
  for (const { type, position } of events) {
    if (known.has(type)) continue;
    const before = unknown.get(type)?.events ?? 0;
    unknown.set(type, { type, events: before + 1, lastPosition: position });
  }
  if (unknown.size === 0) return [];
  const found = [...unknown.values()];
  return [
    prepared(
      `insert into work.projection_unknown_types as u (type, events, last_position)
       select * from unnest($1::text[], $2::int8[], $3::text[])
       on conflict (type) do update
       set events = u.events + excluded.events, last_position = excluded.last_position, last_seen_at = now()`,
      [
        found.map(({ type }) => type),
        found.map(({ events }) => String(events)),
        found.map(({ lastPosition }) => lastPosition),
      ],
    ),
  ];
}

export async function readUnknownTypes(client: Queryable): Promise<UnknownType[]> {
  const { rows } = await client.query<{ type: string; events: string; lastPosition: string }>(
    `select type, events::text, last_position as "lastPosition" from work.projection_unknown_types order by type`,
  );
  return rows.map((row) => ({ ...row, events: Number(row.events) }));
}

/**
 * @throws UnknownEventType
 * @throws EventTooNew
 */
export function refuseUnknown(known: ReadonlySet<string>, event: RecordedEvent): void {
  refuseUnreadable(event);
  if (known.has(event.type)) return;
  throw new UnknownEventType(
    `the event at ${event.position} is of type ${event.type}, which this version does not know`,
  );
}
