import { announcementOf, viewsChannel } from '#projections/engine/announcement.ts';
import type { Checkpoint } from '#projections/engine/checkpoints.ts';
import { earliest, lockCheckpoints } from '#projections/engine/checkpoints.ts';
import type { Engine } from '#projections/engine/engine.ts';
import { recordFailures } from '#projections/engine/failures.ts';
import { refuseForeignLog, refuseNewer } from '#projections/engine/live.ts';
import type { Queryable } from '#projections/engine/session.ts';
import { isContention, pause, transaction } from '#projections/engine/session.ts';
import { switchTables } from '#projections/engine/switchTables.ts';
import type { Tail } from '#projections/engine/tail.ts';
import { tailUntilClose, tailUpTo } from '#projections/engine/tail.ts';
import type { Projection } from '#projections/projection.ts';

/** Readers queue behind an attempt for no longer than this, in milliseconds. */
const patience = 300;
const attempts = 50;
const retry = 100;

export type SwitchOptions = { adoptLog: boolean; signal: AbortSignal | undefined };

/** Readers kept the tables locked whenever the switch was tried. */
export class SwitchFailed extends Error {
  override readonly name = 'SwitchFailed';
}

/** Makes the tail's tables those that queries read, at a moment when they hold no less than the live ones. */
export async function switchOver(tail: Tail, options: SwitchOptions): Promise<void> {
  const never = new AbortController().signal;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    tail.meter.enter('tailing');
    await tailUntilClose(tail, options.signal);
    tail.meter.enter('switching');
    if (await trySwitch(tail, options)) return;
    await pause(retry, options.signal ?? never);
  }
  throw new SwitchFailed(`the tables of ${tail.feed.projection.name} were in use all the time; try again`);
}

async function trySwitch(tail: Tail, options: SwitchOptions): Promise<boolean> {
  const { position, lastEvent, failures } = tail;
  const parked = new Set(tail.feed.parked);
  const { client } = tail.shadow.session;
  try {
    await transaction(client, () => switchWithin(client, tail, options));
    return true;
  } catch (error) {
    if (!isContention(error)) throw error;
    tail.position = position;
    tail.lastEvent = lastEvent;
    tail.failures = failures;
    tail.feed.parked = parked;
    return false;
  }
}

async function switchWithin(client: Queryable, tail: Tail, { adoptLog }: SwitchOptions): Promise<void> {
  const { engine, feed, shadow } = tail;
  const { projection } = feed;
  await client.query(`set local lock_timeout = ${patience}; set local synchronous_commit = on`);
  const checkpoints = await lockCheckpoints(client);
  const live = checkpoints.find(({ view }) => view === projection.name);
  await refuseReplacing(engine, live, adoptLog);
  const logId = await engine.log.logId();
  if (live?.logId === logId) await tailUpTo(tail, live.position);
  await switchTables(client, projection, shadow.tables);
  await placeCheckpoint(client, projection, tail, logId);
  await client.query(`delete from work.projection_failures where view = $1 and status = 'parked'`, [
    projection.name,
  ]);
  for (const statement of recordFailures(tail.failures)) await client.query(statement);
  const others = checkpoints.filter((checkpoint) => checkpoint !== live).map(({ position }) => position);
  const reached = earliest(engine.log, [...others, tail.position]);
  await client.query('select pg_notify($1, $2)', [viewsChannel, announcementOf(reached, 'all')]);
}

/**
 * @throws NewerReadModels when the live tables are of a later version
 * @throws ForeignLog when they were made from another log
 */
export async function refuseReplacing(
  engine: Engine,
  live: Checkpoint | undefined,
  adoptLog: boolean,
): Promise<void> {
  if (live === undefined) return;
  refuseNewer(engine, live);
  if (!adoptLog) await refuseForeignLog(engine.log, [live]);
}

async function placeCheckpoint(
  client: Queryable,
  { name, version }: Projection,
  { position, lastEvent }: Tail,
  logId: string,
): Promise<void> {
  await client.query(
    `insert into work.projection_checkpoints as c (view, version, position, log_id, last_event, status)
     values ($1, $2, $3, $4, $5, 'live')
     on conflict (view) do update
     set version = excluded.version, position = excluded.position, log_id = excluded.log_id,
         last_event = excluded.last_event,
         status = 'live', last_error = null, revision = c.revision + 1, updated_at = now()`,
    [name, version, position, logId, lastEvent],
  );
}
