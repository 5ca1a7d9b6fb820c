import { refuseUnreadable } from '#ports/eventLog.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Projection, RowChange } from '#projections/projection.ts';
import type { NetChange, NetChanges } from '#projections/engine/changes.ts';
import { foldChange } from '#projections/engine/changes.ts';
import type { Failure } from '#projections/engine/failures.ts';
import { describeError } from '#projections/engine/failures.ts';
import type { Statement } from '#projections/engine/session.ts';
import type { Table, Tables } from '#projections/engine/tables.ts';
import { writesOf } from '#projections/engine/writes.ts';

/** A view as it is being fed: where its rows go, and which events it leaves out. */
export type Feed = {
  projection: Projection;
  handles: ReadonlySet<string>;
  tables: Tables;
  /** Streams that hold a parked event: what comes after it waits too. */
  parked: Set<string>;
  /** Events that were skipped for good. */
  skipped: ReadonlySet<string>;
};

/** What some events come to in one view. Nothing of it is part of the feed before it is committed. */
export type Projected = {
  feed: Feed;
  changes: Map<Table, NetChanges>;
  failures: Failure[];
  /** Ids of applications whose cached access must be dropped. */
  invalidated: Set<string>;
};

export function feedOf(
  projection: Projection,
  tables: Tables,
  left: { parked?: Set<string>; skipped?: ReadonlySet<string> } = {},
): Feed {
  return {
    projection,
    handles: new Set(projection.handles),
    tables,
    parked: left.parked ?? new Set(),
    skipped: left.skipped ?? new Set(),
  };
}

/** Applies events, in order; an event that cannot be applied parks its stream. */
export function project(feed: Feed, events: readonly RecordedEvent[]): Projected {
  const projected: Projected = { feed, changes: new Map(), failures: [], invalidated: new Set() };
  const parked = new Set<string>();
  for (const event of events) {
    if (!isWanted(feed, event)) continue;
    if (feed.parked.has(event.stream) || parked.has(event.stream)) {
      projected.failures.push(failureOf(feed, event, null));
      continue;
    }
    try {
      refuseUnreadable(event);
      const invalidated = feed.projection.invalidatesAccess?.(event);
      for (const { table, key, change } of changesOf(feed, event)) {
        const changes = projected.changes.get(table) ?? new Map<string, NetChange>();
        projected.changes.set(table, changes);
        foldChange(changes, key, change);
      }
      if (invalidated !== undefined) projected.invalidated.add(invalidated);
    } catch (error) {
      parked.add(event.stream);
      projected.failures.push(failureOf(feed, event, describeError(error)));
    }
  }
  return projected;
}

export function isWanted(feed: Feed, event: RecordedEvent): boolean {
  return feed.handles.has(event.type) && !feed.skipped.has(event.id);
}

export type PlacedChange = { table: Table; key: string; change: RowChange };

/** An event's row changes with their tables and keys, all of them made out: half an event is never applied. */
export function changesOf(feed: Feed, event: RecordedEvent): PlacedChange[] {
  return feed.projection.apply(event).map((change) => {
    const table = feed.tables.get(change.table);
    if (table === undefined) throw new Error(`${feed.projection.name} has no table ${change.table}`);
    return { table, key: table.keyOf(change.op === 'upsert' ? change.row : change.key), change };
  });
}

export function failureOf(feed: Feed, event: RecordedEvent, error: string | null): Failure {
  return { view: feed.projection.name, event, error };
}

/** @throws UnwritableValue */
export function rowWrites(projected: Projected): Statement[] {
  return [...projected.changes].flatMap(([table, changes]) => writesOf(table, changes));
}

/** To be called when the changes are committed. */
export function settle({ feed, failures }: Projected): void {
  for (const { event } of failures) feed.parked.add(event.stream);
}
