import type { Position } from '#ports/eventLog.ts';
import { readCheckpoints } from '#projections/engine/checkpoints.ts';
import type { Engine, Report } from '#projections/engine/engine.ts';
import { projectionNamed } from '#projections/engine/engine.ts';
import { readSkipped } from '#projections/engine/failures.ts';
import { fill, memoryBudget } from '#projections/engine/fill.ts';
import { indexTables } from '#projections/engine/indexing.ts';
import { createMeter } from '#projections/engine/progress.ts';
import { feedOf } from '#projections/engine/project.ts';
import { withShadow } from '#projections/engine/shadow.ts';
import { refuseReplacing, switchOver } from '#projections/engine/switchOver.ts';
import type { Tail } from '#projections/engine/tail.ts';

export type RebuildOptions = {
  /** Takes the log as it is for the truth, also when the view was made from another one. */
  adoptLog?: boolean;
  /** Bytes of memory for folded rows. */
  budget?: number;
  signal?: AbortSignal;
};

export type Rebuilt = {
  view: string;
  version: number;
  position: Position | null;
  events: number;
  /** Events that could not be applied, and those that wait behind them. */
  parked: number;
  seconds: number;
};

/**
 * Fills new tables of a view from the log while the old ones serve, and puts them in their place. After it
 * was killed or cancelled it is simply run again: it starts over, and nobody saw a difference.
 * @throws UnknownView
 * @throws UnknownEventType
 * @throws ViewBusy
 * @throws NewerReadModels
 * @throws ForeignLog unless `adoptLog` is set
 */
export async function rebuild(
  engine: Engine,
  view: string,
  report: Report,
  { adoptLog = false, budget = memoryBudget, signal }: RebuildOptions = {},
): Promise<Rebuilt> {
  const projection = projectionNamed(engine, view);
  const startedAt = performance.now();
  return withShadow(engine, projection, async (shadow) => {
    const checkpoints = await readCheckpoints(engine.pool);
    const live = checkpoints.find((checkpoint) => checkpoint.view === view);
    await refuseReplacing(engine, live, adoptLog);
    const feed = feedOf(projection, shadow.tables, { skipped: await readSkipped(engine.pool, view) });
    const meter = createMeter(report, await engine.log.head());
    const filled = await fill(engine, shadow.session.client, feed, meter, {
      until: undefined,
      budget,
      signal,
    });
    meter.enter('indexing');
    await indexTables(engine.connection, shadow.tables, filled);
    const tail: Tail = { engine, shadow, feed, meter, ...filled };
    await switchOver(tail, { adoptLog, signal });
    return {
      view,
      version: projection.version,
      position: tail.position,
      events: meter.events(),
      parked: tail.failures.length,
      seconds: (performance.now() - startedAt) / 1_000,
    };
  });
}
