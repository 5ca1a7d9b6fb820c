import type pg from 'pg';
import type { EventLog } from '#ports/eventLog.ts';
import type { Logger } from '#ports/logger.ts';
import type { Projection } from '#projections/projection.ts';

/** What the operations on projections work with. */
export type Engine = {
  log: EventLog;
  /** Connections as the owner of the tables. */
  pool: pg.Pool;
  /** For connections that hold a lock or a prepared statement: they never come from the pool. */
  connection: pg.ClientConfig;
  projections: readonly Projection[];
  /** Every event type that this version of the code knows, handled by a view or not. */
  knownTypes: readonly string[];
  logger: Logger;
};

export type Progress = {
  phase: 'reading' | 'copying' | 'indexing' | 'tailing' | 'switching' | 'comparing';
  /** Events read so far. */
  events: number;
  eventsPerSecond: number;
  /** From 0 to 1; undefined when the log's positions do not tell. */
  fraction: number | undefined;
};

export type Report = (progress: Progress) => void;

/** The name is not that of a view. */
export class UnknownView extends Error {
  override readonly name = 'UnknownView';
}

/** An event of a type that this version does not know: a rebuild would leave out what it says. */
export class UnknownEventType extends Error {
  override readonly name = 'UnknownEventType';
}

/** Something about the read models only a person can put right. Trying again will not help. */
export class ProjectionsHalted extends Error {
  override readonly name = 'ProjectionsHalted';
}

/** @throws UnknownView */
export function projectionNamed(engine: Engine, view: string): Projection {
  const found = engine.projections.find((projection) => projection.name === view);
  if (found !== undefined) return found;
  const known = engine.projections.map((projection) => projection.name).join(', ');
  throw new UnknownView(`there is no view named ${view}; the views are ${known}`);
}
