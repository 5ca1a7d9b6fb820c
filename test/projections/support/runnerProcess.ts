import pg from 'pg';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import { createRunner } from '#projections/engine/runner.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { thingTypes, things } from '#test/projections/support/things.ts';
import { until } from '#test/support/until.ts';

/** A runner in a process of its own, to be killed; tells its parent when it works. */
const connection = { connectionString: process.env['RUNNER_DATABASE_URL'] };
const pool = new pg.Pool(connection);
const runner = createRunner({
  log: createPostgresEventLog({ pool, connection }),
  pool,
  connection,
  projections: [things()],
  knownTypes: thingTypes,
  logger: silentLogger,
});
runner.start();
await until(() => runner.state().phase === 'running' && runner.state().building.length === 0);
process.send?.('running');
