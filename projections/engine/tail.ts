import type { Position } from '#ports/eventLog.ts';
import type { Engine } from '#projections/engine/engine.ts';
import { lastEventIn } from '#src/lastEvent.ts';
import type { LastEvent } from '#src/lastEvent.ts';
import type { Failure } from '#projections/engine/failures.ts';
import { applyIsolating } from '#projections/engine/isolate.ts';
import type { Meter } from '#projections/engine/progress.ts';
import type { Feed } from '#projections/engine/project.ts';
import { readPages } from '#projections/engine/readPages.ts';
import { transaction } from '#projections/engine/session.ts';
import type { Shadow } from '#projections/engine/shadow.ts';
import { refuseUnknown } from '#projections/engine/unknownTypes.ts';

/** Filled shadow tables that follow the log. */
export type Tail = {
  engine: Engine;
  shadow: Shadow;
  feed: Feed;
  meter: Meter;
  position: Position | null;
  lastEvent: LastEvent | null;
  failures: Failure[];
};

/** With no more events than this in a round, the tables are close to the end of the log. */
const closeEnough = 500;

/** Follows the log until it is close to its end; new events may come all the while. */
export async function tailUntilClose(tail: Tail, signal: AbortSignal | undefined): Promise<void> {
  let before;
  do {
    before = tail.meter.events();
    await readOn(tail, undefined, (apply) => transaction(tail.shadow.session.client, apply), signal);
  } while (tail.meter.events() - before > closeEnough);
}

/** Applies what lies between the tables and a position, within the caller's transaction. */
export async function tailUpTo(tail: Tail, position: Position | null): Promise<void> {
  const { log } = tail.engine;
  if (position === null) return;
  if (tail.position !== null && log.comparePositions(tail.position, position) >= 0) return;
  await readOn(tail, position, (apply) => apply(), undefined);
}

async function readOn(
  tail: Tail,
  until: Position | undefined,
  within: (apply: () => Promise<Failure[]>) => Promise<Failure[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { engine, feed, meter, shadow } = tail;
  const known = new Set(engine.knownTypes);
  for await (const page of readPages(engine.log, tail.position, until, signal)) {
    for (const event of page.events) refuseUnknown(known, event);
    const parked = await within(() => applyIsolating(shadow.session.client, feed, page.events));
    // Never changed in place: a switch that is undone goes back to the list it had.
    tail.failures = [...tail.failures, ...parked];
    tail.position = page.scanned ?? tail.position;
    tail.lastEvent = lastEventIn(page) ?? tail.lastEvent;
    meter.read(page.events.length, page.scanned);
  }
}
