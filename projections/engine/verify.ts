import type { Position } from '#ports/eventLog.ts';
import type { Checksum } from '#projections/engine/checksum.ts';
import { checksumOf, checksumSettings } from '#projections/engine/checksum.ts';
import { readCheckpoints } from '#projections/engine/checkpoints.ts';
import { differencesOf } from '#projections/engine/differences.ts';
import type { Engine, Report } from '#projections/engine/engine.ts';
import { projectionNamed } from '#projections/engine/engine.ts';
import { fill, memoryBudget } from '#projections/engine/fill.ts';
import { refuseForeignLog } from '#projections/engine/live.ts';
import { createMeter } from '#projections/engine/progress.ts';
import { feedOf } from '#projections/engine/project.ts';
import type { Queryable } from '#projections/engine/session.ts';
import { transaction, withConnection } from '#projections/engine/session.ts';
import { withShadow } from '#projections/engine/shadow.ts';
import type { Tables } from '#projections/engine/tables.ts';
import { liveTables } from '#projections/engine/tables.ts';
import type { Projection } from '#projections/projection.ts';

export type Verified = {
  view: string;
  /** The tables were compared as of here. */
  position: Position | null;
  equal: boolean;
  tables: {
    table: string;
    equal: boolean;
    liveRows: number;
    expectedRows: number;
    /** Keys of rows that differ, not more than 20; what changed meanwhile may be among them. */
    changed: string[];
  }[];
  events: number;
  seconds: number;
};

/** The view has no live tables of this version to compare. */
export class NothingToVerify extends Error {
  override readonly name = 'NothingToVerify';
}

type Snapshot = { position: Position | null; leftOut: Set<string>; sums: Map<string, Checksum> };

/**
 * Compares the live tables of a view with what the log says, at one position; the runner works on meanwhile.
 * Events that are parked or skipped are left out on both sides.
 * @throws UnknownView
 * @throws UnknownEventType
 * @throws ViewBusy
 * @throws ForeignLog
 * @throws NothingToVerify
 */
export async function verify(
  engine: Engine,
  view: string,
  report: Report,
  { budget = memoryBudget, signal }: { budget?: number; signal?: AbortSignal } = {},
): Promise<Verified> {
  const projection = projectionNamed(engine, view);
  const startedAt = performance.now();
  return withShadow(engine, projection, async ({ session, tables }) => {
    const live = await snapshot(engine, projection);
    const meter = createMeter(report, live.position);
    const feed = feedOf(projection, tables, { skipped: live.leftOut });
    await fill(engine, session.client, feed, meter, { until: live.position, budget, signal });
    meter.enter('comparing');
    const expected = await transaction(session.client, () => sumsOf(session.client, tables));
    const compared: Verified['tables'] = [];
    for (const [name, sum] of live.sums) {
      const found = compare(name, sum, expected.get(name));
      const [own, shadow] = [liveTables(projection).get(name), tables.get(name)];
      if (!found.equal && own !== undefined && shadow !== undefined) {
        found.changed = await differencesOf(session.client, own, shadow);
      }
      compared.push(found);
    }
    return {
      view,
      position: live.position,
      equal: compared.every(({ equal }) => equal),
      tables: compared,
      events: meter.events(),
      seconds: (performance.now() - startedAt) / 1_000,
    };
  });
}

/** Checksums, checkpoint and failures of one moment. */
async function snapshot(engine: Engine, projection: Projection): Promise<Snapshot> {
  return withConnection(engine.pool, async (client) =>
    transaction(client, async () => {
      await client.query('set transaction isolation level repeatable read, read only');
      const checkpoints = await readCheckpoints(client);
      const checkpoint = checkpoints.find(({ view }) => view === projection.name);
      if (checkpoint?.version !== projection.version) {
        throw new NothingToVerify(
          `the view ${projection.name} has no tables of version ${projection.version}`,
        );
      }
      await refuseForeignLog(engine.log, [checkpoint]);
      return {
        position: checkpoint.position,
        leftOut: await readFailed(client, projection.name),
        sums: await sumsOf(client, liveTables(projection)),
      };
    }),
  );
}

async function readFailed(client: Queryable, view: string): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    'select event_id as id from work.projection_failures where view = $1',
    [view],
  );
  return new Set(rows.map(({ id }) => id));
}

async function sumsOf(client: Queryable, tables: Tables): Promise<Map<string, Checksum>> {
  await client.query(checksumSettings);
  const sums = new Map<string, Checksum>();
  for (const [name, table] of tables) sums.set(name, await checksumOf(client, table));
  return sums;
}

function compare(table: string, live: Checksum, expected: Checksum | undefined): Verified['tables'][number] {
  return {
    table,
    equal: live.rows === expected?.rows && live.sum === expected.sum,
    liveRows: live.rows,
    expectedRows: expected?.rows ?? 0,
    changed: [],
  };
}
