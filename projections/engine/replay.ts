import type pg from 'pg';
import type { Engine } from '#projections/engine/engine.ts';
import { projectionNamed } from '#projections/engine/engine.ts';
import { readCheckpoints } from '#projections/engine/checkpoints.ts';
import type { ParkedEvent } from '#projections/engine/failures.ts';
import { readParked } from '#projections/engine/failures.ts';
import { intervene } from '#projections/engine/intervene.ts';
import { applyIsolating } from '#projections/engine/isolate.ts';
import { refuseForeignLog } from '#projections/engine/live.ts';
import { feedOf } from '#projections/engine/project.ts';
import { liveTables } from '#projections/engine/tables.ts';
import type { Projection } from '#projections/projection.ts';

export type Replayed = {
  view: string;
  /** Events that are applied now. */
  applied: number;
  /** Events that are still parked. */
  parked: number;
};

/** A view has no live tables of this version to apply events to. */
export class NothingToReplay extends Error {
  override readonly name = 'NothingToReplay';
}

/**
 * Applies a view's parked events, in the order of their streams, once the code or the tables are right.
 * A stream whose event fails again stays parked from there on.
 * @throws UnknownView
 * @throws ForeignLog
 * @throws NothingToReplay
 */
export async function replay(engine: Engine, view: string): Promise<Replayed> {
  const projection = projectionNamed(engine, view);
  const checkpoint = (await readCheckpoints(engine.pool)).find((one) => one.view === view);
  if (checkpoint?.version !== projection.version) {
    throw new NothingToReplay(`the view ${view} has no tables of version ${projection.version}`);
  }
  await refuseForeignLog(engine.log, [checkpoint]);
  const streams = new Set((await readParked(engine.pool, view)).map(({ stream }) => stream));
  let applied = 0;
  for (const stream of streams) {
    applied += await intervene(engine, view, (client) => replayStream(engine, client, projection, stream));
  }
  return { view, applied, parked: (await readParked(engine.pool, view)).length };
}

async function replayStream(
  engine: Engine,
  client: pg.PoolClient,
  projection: Projection,
  stream: string,
): Promise<number> {
  // Under the fence nothing is added behind these; others may have been here before.
  const parked = (await readParked(client, projection.name)).filter((event) => event.stream === stream);
  const [first] = parked;
  if (first === undefined) return 0;
  const waiting = new Set(parked.map(({ id }) => id));
  const recorded = await engine.log.readStream(stream, first.revision);
  const events = recorded.filter(({ id }) => waiting.has(id));
  const failures = await applyIsolating(client, feedOf(projection, liveTables(projection)), events);
  const failed = new Map(failures.map(({ event, error }) => [event.id, error]));
  await forget(
    client,
    projection,
    events.map(({ id }) => id).filter((id) => !failed.has(id)),
  );
  await remember(client, projection, parked, failed);
  return events.length - failures.length;
}

async function forget(client: pg.PoolClient, { name }: Projection, ids: readonly string[]): Promise<void> {
  await client.query('delete from work.projection_failures where view = $1 and event_id = any($2::uuid[])', [
    name,
    ids,
  ]);
}

/** Keeps what is wrong now. */
async function remember(
  client: pg.PoolClient,
  { name }: Projection,
  parked: readonly ParkedEvent[],
  failed: ReadonlyMap<string, string | null>,
): Promise<void> {
  const changed = parked.filter(({ id, error }) => failed.has(id) && failed.get(id) !== error);
  for (const { id } of changed) {
    await client.query('update work.projection_failures set error = $3 where view = $1 and event_id = $2', [
      name,
      id,
      failed.get(id),
    ]);
  }
}
