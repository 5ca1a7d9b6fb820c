import type { EventLog } from '#ports/eventLog.ts';
import type { Checkpoint } from '#projections/engine/checkpoints.ts';
import { readCheckpoints, recordRestart } from '#projections/engine/checkpoints.ts';
import type { Engine } from '#projections/engine/engine.ts';
import { isBeyondHead, isInPlace } from '#src/lastEvent.ts';
import { ProjectionsHalted } from '#projections/engine/engine.ts';
import { readParkedStreams } from '#projections/engine/failures.ts';
import type { Feed } from '#projections/engine/project.ts';
import { feedOf } from '#projections/engine/project.ts';
import type { Queryable } from '#projections/engine/session.ts';
import { liveTables } from '#projections/engine/tables.ts';

/** A view that queries read. Without a feed it is of an older version, and waits for its rebuild. */
export type LiveView = { checkpoint: Checkpoint; feed: Feed | undefined };

/** The read models belong to a later version of the code. */
export class NewerReadModels extends ProjectionsHalted {}

/** The read models were made from another log, or from more of this log than there is. */
export class ForeignLog extends ProjectionsHalted {}

/** The log ends before what the views have applied, which a node that lags behind says as well for a while. */
export class BehindReadModels extends ForeignLog {}

/**
 * Loads the views as they are stored.
 * @throws NewerReadModels
 * @throws ForeignLog
 */
export async function loadViews(engine: Engine, client: Queryable): Promise<LiveView[]> {
  const checkpoints = await readCheckpoints(client);
  for (const checkpoint of checkpoints) refuseNewer(engine, checkpoint);
  await refuseForeignLog(engine.log, checkpoints);
  await recordRestart(client);
  const views: LiveView[] = [];
  for (const checkpoint of checkpoints) {
    views.push({ checkpoint, feed: await feedFor(engine, client, checkpoint) });
  }
  return views;
}

async function feedFor(engine: Engine, client: Queryable, checkpoint: Checkpoint): Promise<Feed | undefined> {
  const projection = engine.projections.find(({ name }) => name === checkpoint.view);
  if (projection?.version !== checkpoint.version) return undefined;
  return feedOf(projection, liveTables(projection), {
    parked: await readParkedStreams(client, checkpoint.view),
  });
}

/** @throws NewerReadModels */
export function refuseNewer(engine: Engine, { view, version }: Checkpoint): void {
  const projection = engine.projections.find(({ name }) => name === view);
  if (projection === undefined) {
    throw new NewerReadModels(`the read models hold the view ${view}, which this version does not know`);
  }
  if (projection.version < version) {
    throw new NewerReadModels(
      `the view ${view} is at version ${version}; this version of the code only knows ${projection.version}`,
    );
  }
}

/** @throws ForeignLog */
export async function refuseForeignLog(log: EventLog, checkpoints: readonly Checkpoint[]): Promise<void> {
  if (checkpoints.length === 0) return;
  const logId = await log.logId();
  const foreign = checkpoints.find((checkpoint) => checkpoint.logId !== logId);
  if (foreign !== undefined) {
    throw new ForeignLog(
      `the view ${foreign.view} was made from the log ${foreign.logId}, and this is the log ${logId}; ` +
        'connect the right log, or rebuild every view from this one',
    );
  }
  const head = await log.head();
  for (const beyond of checkpoints) {
    if (!(await isBeyondHead(log, beyond.position, head))) continue;
    throw new BehindReadModels(
      `the view ${beyond.view} is at ${beyond.position}, and the log ends at ${head ?? 'its beginning'}: ` +
        'events are missing from the log; restore them, or rebuild every view from what is left',
    );
  }
  // Last: a server that is behind its leader for a while ends early, and has lost nothing.
  await refuseLostEvents(log, checkpoints);
}

/** A log that was put back, and has grown again, ends late enough; its events are others. */
async function refuseLostEvents(log: EventLog, checkpoints: readonly Checkpoint[]): Promise<void> {
  const looked = new Set<string>();
  for (const { view, lastEvent } of checkpoints) {
    if (lastEvent === null || looked.has(lastEvent.id)) continue;
    looked.add(lastEvent.id);
    if (await isInPlace(log, lastEvent)) continue;
    throw new ForeignLog(
      `the view ${view} has applied the event ${lastEvent.id} at ${lastEvent.position}, which the log no longer has ` +
        'there: it was put back to an earlier state; restore it, or run `holdfast log adopt`',
    );
  }
}
