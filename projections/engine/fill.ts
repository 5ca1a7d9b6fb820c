import type pg from 'pg';
import type { Position, RecordedEvent } from '#ports/eventLog.ts';
import { lastEventIn } from '#src/lastEvent.ts';
import type { LastEvent } from '#src/lastEvent.ts';
import { copyRows } from '#projections/engine/copyRows.ts';
import type { Engine } from '#projections/engine/engine.ts';
import type { Failure } from '#projections/engine/failures.ts';
import { describeError, isDataError } from '#projections/engine/failures.ts';
import type { FoldedRows } from '#projections/engine/foldedRows.ts';
import { createFoldedRows } from '#projections/engine/foldedRows.ts';
import { applyIsolating } from '#projections/engine/isolate.ts';
import type { Meter } from '#projections/engine/progress.ts';
import type { Feed, PlacedChange } from '#projections/engine/project.ts';
import { changesOf, failureOf, isWanted } from '#projections/engine/project.ts';
import { readPages } from '#projections/engine/readPages.ts';
import { transaction } from '#projections/engine/session.ts';
import { createKeyIndexSql, qualified } from '#projections/engine/tables.ts';
import { refuseUnknown } from '#projections/engine/unknownTypes.ts';

/** Rows that are folded in memory take this much at most, in bytes. */
export const memoryBudget = 160 * 1_024 * 1_024;

export type FillOptions = {
  /** Up to and including; null: nothing; undefined: to the end of the log. */
  until: Position | null | undefined;
  budget: number;
  signal?: AbortSignal | undefined;
};

/** How far tables were filled, and by which event last. */
export type Reached = { position: Position | null; lastEvent: LastEvent | null };

export type Filled = Reached & { failures: Failure[]; isKeyed: boolean };

/**
 * Fills empty tables from the log. Rows are folded in memory and copied, which is several times faster than
 * statements; what follows after the memory is used up is written by statements, page by page. A row that the
 * tables refuse is found by filling them anew with statements alone.
 * @throws UnknownEventType
 * @throws EventTooNew
 */
export async function fill(
  engine: Engine,
  client: pg.ClientBase,
  feed: Feed,
  meter: Meter,
  options: FillOptions,
): Promise<Filled> {
  const parkedBefore = new Set(feed.parked);
  try {
    return await fillByCopy(engine, client, feed, meter, options);
  } catch (error) {
    if (!isDataError(error)) throw error;
    engine.logger.warn(
      { view: feed.projection.name, error: describeError(error) },
      'a view refused a row while it was filled, and is filled again row by row',
    );
    feed.parked = parkedBefore;
    for (const table of feed.tables.values()) await client.query(`truncate ${qualified(table.name)}`);
    return fillByStatements(engine, client, feed, meter, options);
  }
}

async function fillByCopy(
  engine: Engine,
  client: pg.ClientBase,
  feed: Feed,
  meter: Meter,
  options: FillOptions,
): Promise<Filled> {
  const rows = createFoldedRows(feed.tables);
  const failures: Failure[] = [];
  const known = new Set(engine.knownTypes);
  let position: Position | null = null;
  let lastEvent: LastEvent | null = null;
  for await (const page of readPages(engine.log, null, options.until, options.signal)) {
    for (const event of page.events) {
      refuseUnknown(known, event);
      if (isWanted(feed, event)) fold(feed, rows, event, failures);
    }
    position = page.scanned ?? position;
    lastEvent = lastEventIn(page) ?? lastEvent;
    meter.read(page.events.length, page.scanned);
    if (rows.fitInto(options.budget)) continue;
    await copyAll(engine, feed, rows, meter);
    const rest = await fillByStatements(engine, client, feed, meter, options, { position, lastEvent });
    return { ...rest, failures: [...failures, ...rest.failures] };
  }
  await copyAll(engine, feed, rows, meter);
  return { position, lastEvent, failures, isKeyed: false };
}

function fold(feed: Feed, rows: FoldedRows, event: RecordedEvent, failures: Failure[]): void {
  if (feed.parked.has(event.stream)) {
    failures.push(failureOf(feed, event, null));
    return;
  }
  let changes: PlacedChange[];
  try {
    changes = changesOf(feed, event);
  } catch (error) {
    feed.parked.add(event.stream);
    failures.push(failureOf(feed, event, describeError(error)));
    return;
  }
  for (const change of changes) rows.apply(change);
}

async function copyAll({ connection }: Engine, feed: Feed, rows: FoldedRows, meter: Meter): Promise<void> {
  meter.enter('copying');
  for (const table of feed.tables.values()) await copyRows(connection, table, rows.piecesOf(table));
  rows.clear();
  meter.enter('reading');
}

async function fillByStatements(
  engine: Engine,
  client: pg.ClientBase,
  feed: Feed,
  meter: Meter,
  options: FillOptions,
  from: Reached = { position: null, lastEvent: null },
): Promise<Filled> {
  for (const table of feed.tables.values()) await client.query(createKeyIndexSql(table));
  const failures: Failure[] = [];
  const known = new Set(engine.knownTypes);
  let { position, lastEvent } = from;
  for await (const page of readPages(engine.log, position, options.until, options.signal)) {
    for (const event of page.events) refuseUnknown(known, event);
    failures.push(...(await transaction(client, () => applyIsolating(client, feed, page.events))));
    position = page.scanned ?? position;
    lastEvent = lastEventIn(page) ?? lastEvent;
    meter.read(page.events.length, page.scanned);
  }
  return { position, lastEvent, failures, isKeyed: true };
}
