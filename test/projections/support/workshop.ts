import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import type { EventLog, EventToAppend, Position } from '#ports/eventLog.ts';
import { readCheckpoints } from '#projections/engine/checkpoints.ts';
import type { Engine } from '#projections/engine/engine.ts';
import type { Runner } from '#projections/engine/runner.ts';
import { createRunner } from '#projections/engine/runner.ts';
import type { Projection } from '#projections/projection.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';
import { thingStream, thingTypes, things } from '#test/projections/support/things.ts';

export type Workshop = {
  database: TestDatabase;
  log: EventLog;
  engine(projection?: Projection): Engine;
  start(projection?: Projection): Runner;
  /** Appends to the stream of a thing. @returns the position of the last event */
  append(id: string, ...events: EventToAppend[]): Promise<Position>;
  applied(position: Position): Promise<void>;
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Ids and names of the things that queries see. */
  streamOf(id: string): string;
  names(): Promise<Record<string, string>>;
  end(): Promise<void>;
};

/** A database with a log, the embedded one unless another is given, and runners over it, for one test. */
export async function openWorkshop(other?: EventLog, given?: TestDatabase): Promise<Workshop> {
  const database = given ?? (await createTestDatabase());
  const { connection, pools } = database;
  const log = other ?? createPostgresEventLog({ pool: pools.owner, connection });
  const runners: Runner[] = [];
  const engine = (projection = things()): Engine => ({
    log,
    pool: pools.owner,
    connection,
    projections: [projection],
    knownTypes: thingTypes,
    logger: silentLogger,
  });
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => {
    const { rows } = await pools.owner.query<Row>(text, values);
    return rows;
  };
  return {
    database,
    log,
    engine,
    start: (projection) => {
      const runner = createRunner(engine(projection));
      runners.push(runner);
      runner.start();
      return runner;
    },
    append: async (id, ...events) => {
      const before = await log.readStream(thingStream(id));
      const expected = before.at(-1)?.revision ?? 'none';
      return (await log.append(thingStream(id), expected, events)).position;
    },
    applied: async (position) => {
      await until(async () => {
        const [checkpoint] = await readCheckpoints(pools.owner);
        const reached = checkpoint?.position ?? null;
        return reached !== null && log.comparePositions(reached, position) >= 0;
      });
    },
    query,
    streamOf: thingStream,
    names: async () => {
      const rows = await query<{ id: string; name: string }>('select id, name from read_models.things');
      return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
    },
    end: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
      await log.close();
      await database.drop();
    },
  };
}
