import { readCheckpoints } from '#projections/engine/checkpoints.ts';
import type { Engine, Progress } from '#projections/engine/engine.ts';
import { ProjectionsHalted } from '#projections/engine/engine.ts';
import { describeError } from '#projections/engine/failures.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { ViewBusy } from '#projections/engine/shadow.ts';
import { pause } from '#projections/engine/session.ts';
import type { Projection } from '#projections/projection.ts';

const firstRetry = 250;
const longestRetry = 5_000;

/**
 * Builds the views that have no tables of this version yet: a new view, or one whose version was raised. An
 * older version serves on meanwhile, fed by processes that still run the older code. On a short log this is
 * a matter of milliseconds. A view that cannot be built does not keep the others waiting.
 */
export async function buildMissingViews(
  engine: Engine,
  signal: AbortSignal,
  building: Set<string>,
  onBuilt: () => void,
): Promise<void> {
  for (const { name } of engine.projections) building.add(name);
  let retry = firstRetry;
  while (building.size > 0 && !signal.aborted) {
    for (const projection of engine.projections) {
      if (!building.has(projection.name) || signal.aborted) continue;
      if (!(await isThereAfterTrying(engine, projection, signal))) continue;
      building.delete(projection.name);
      onBuilt();
    }
    if (building.size === 0) return;
    await pause(retry, signal);
    retry = Math.min(retry * 2, longestRetry);
  }
}

async function isThereAfterTrying(
  engine: Engine,
  projection: Projection,
  signal: AbortSignal,
): Promise<boolean> {
  const { logger } = engine;
  try {
    if (await isBuilt(engine, projection)) return true;
    const rebuilt = await rebuild(engine, projection.name, reportTo(engine, projection), { signal });
    logger.info({ ...rebuilt }, 'a view was built');
    return true;
  } catch (error) {
    if (signal.aborted || error instanceof ViewBusy) return false;
    const level = error instanceof ProjectionsHalted ? 'debug' : 'error';
    logger[level]({ view: projection.name, error: describeError(error) }, 'a view could not be built');
    return false;
  }
}

async function isBuilt({ pool }: Engine, { name, version }: Projection): Promise<boolean> {
  const checkpoints = await readCheckpoints(pool);
  return checkpoints.some((checkpoint) => checkpoint.view === name && checkpoint.version >= version);
}

function reportTo({ logger }: Engine, { name }: Projection): (progress: Progress) => void {
  let phase: Progress['phase'] | undefined;
  return (progress) => {
    if (progress.phase === phase) return;
    phase = progress.phase;
    logger.debug({ view: name, ...progress }, 'a view is being built');
  };
}
