import type pg from 'pg';
import type { EventLog, LogPage, Position, RecordedEvent } from '#ports/eventLog.ts';
import { announcementOf } from '#projections/engine/announcement.ts';
import { advanceCheckpoints, earliest, later } from '#projections/engine/checkpoints.ts';
import { isDataError, recordFailures } from '#projections/engine/failures.ts';
import { applyIsolating } from '#projections/engine/isolate.ts';
import type { LiveView } from '#projections/engine/live.ts';
import type { Feed } from '#projections/engine/project.ts';
import { project, rowWrites, settle } from '#projections/engine/project.ts';
import { lastEventOf } from '#src/lastEvent.ts';
import type { LastEvent } from '#src/lastEvent.ts';
import type { Statement } from '#projections/engine/session.ts';
import { pipelined, transaction } from '#projections/engine/session.ts';

type Portion = { feed: Feed; events: readonly RecordedEvent[] };

/**
 * Applies a page to all views in one transaction, moves their checkpoints with it and announces it.
 * After an error the views must be loaded again.
 */
export async function applyPage(
  log: EventLog,
  client: pg.Client,
  views: readonly LiveView[],
  page: LogPage,
  extra: readonly Statement[],
): Promise<void> {
  const portions: Portion[] = [];
  for (const { checkpoint, feed } of views) {
    if (feed !== undefined) portions.push({ feed, events: after(log, checkpoint.position, page.events) });
  }
  const reaches = views.map(({ checkpoint, feed }) =>
    feed === undefined ? checkpoint.position : later(log, checkpoint.position, page.scanned),
  );
  const lastEvents = views.map(({ checkpoint, feed }): LastEvent | null => {
    const last = feed === undefined ? undefined : after(log, checkpoint.position, page.events).at(-1);
    return last === undefined ? null : lastEventOf(last);
  });
  const advance = (invalidated: ReadonlySet<string> | 'all', parks: boolean): Statement =>
    advanceCheckpoints(
      views.map(({ checkpoint }) => checkpoint),
      reaches,
      lastEvents,
      announcementOf(earliest(log, reaches), invalidated, parks),
    );
  try {
    await applyFast(client, portions, advance, extra);
  } catch (error) {
    if (!isDataError(error)) throw error;
    await applyCarefully(client, portions, advance, extra);
  }
  views.forEach(({ checkpoint }, index) => {
    checkpoint.position = reaches[index] ?? null;
    checkpoint.lastEvent = lastEvents[index] ?? checkpoint.lastEvent;
  });
}

async function applyFast(
  client: pg.Client,
  portions: readonly Portion[],
  advance: (invalidated: ReadonlySet<string>, parks: boolean) => Statement,
  extra: readonly Statement[],
): Promise<void> {
  const projected = portions.map(({ feed, events }) => project(feed, events));
  const invalidated = new Set(projected.flatMap((one) => [...one.invalidated]));
  const failures = projected.flatMap((one) => one.failures);
  await pipelined(client, [
    'begin',
    advance(invalidated, failures.length > 0),
    ...projected.flatMap(rowWrites),
    ...recordFailures(failures),
    ...extra,
    'commit',
  ]);
  projected.forEach(settle);
}

async function applyCarefully(
  client: pg.Client,
  portions: readonly Portion[],
  advance: (invalidated: 'all', parks: true) => Statement,
  extra: readonly Statement[],
): Promise<void> {
  await transaction(client, async () => {
    await pipelined(client, [advance('all', true), ...extra]);
    const failures = [];
    for (const { feed, events } of portions) failures.push(...(await applyIsolating(client, feed, events)));
    await pipelined(client, recordFailures(failures));
  });
}

/** The events that a view at this position has not applied yet. */
function after(
  log: EventLog,
  position: Position | null,
  events: readonly RecordedEvent[],
): readonly RecordedEvent[] {
  const [first] = events;
  if (position === null || first === undefined) return events;
  if (log.comparePositions(first.position, position) > 0) return events;
  return events.filter((event) => log.comparePositions(event.position, position) > 0);
}
