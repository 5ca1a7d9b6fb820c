import type { Position } from '#ports/eventLog.ts';
import type { Checkpoint } from '#projections/engine/checkpoints.ts';
import { readCheckpoints } from '#projections/engine/checkpoints.ts';
import type { Engine } from '#projections/engine/engine.ts';
import type { ParkedEvent } from '#projections/engine/failures.ts';
import { readParked, readSkipped } from '#projections/engine/failures.ts';
import type { UnknownType } from '#projections/engine/unknownTypes.ts';
import { readUnknownTypes } from '#projections/engine/unknownTypes.ts';

export type ViewStatus = {
  view: string;
  /** The version that this code has. */
  version: number;
  /** The version that queries read; undefined: the view was never built. */
  liveVersion: number | undefined;
  status: Checkpoint['status'] | 'missing';
  lastError: string | null;
  position: Position | null;
  atHead: boolean;
  updatedAt: Date | undefined;
  parked: ParkedEvent[];
  skipped: number;
};

export type ProjectionsStatus = {
  logId: string;
  head: Position | null;
  views: ViewStatus[];
  unknownTypes: UnknownType[];
};

/** How every view stands. */
export async function status(engine: Engine): Promise<ProjectionsStatus> {
  // The checkpoints are read before the head: a view is at the head only if it really was.
  const checkpoints = await readCheckpoints(engine.pool);
  const [logId, head] = await Promise.all([engine.log.logId(), engine.log.head()]);
  const views: ViewStatus[] = [];
  for (const { name, version } of engine.projections) {
    const checkpoint = checkpoints.find(({ view }) => view === name);
    const position = checkpoint?.position ?? null;
    views.push({
      view: name,
      version,
      liveVersion: checkpoint?.version,
      status: checkpoint?.status ?? 'missing',
      lastError: checkpoint?.lastError ?? null,
      position,
      atHead: hasReached(engine, position, head),
      updatedAt: checkpoint?.updatedAt,
      parked: await readParked(engine.pool, name),
      skipped: (await readSkipped(engine.pool, name)).size,
    });
  }
  return { logId, head, views, unknownTypes: await readUnknownTypes(engine.pool) };
}

function hasReached({ log }: Engine, position: Position | null, head: Position | null): boolean {
  if (head === null) return true;
  return position !== null && log.comparePositions(position, head) >= 0;
}
