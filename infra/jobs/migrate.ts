import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import type { Logger } from '#ports/logger.ts';
import { graphileLogger } from '#infra/jobs/graphileLogger.ts';

const silence = (): void => undefined;
const silent: Logger = { debug: silence, info: silence, warn: silence, error: silence };

/** Brings the tables of the job queue to what its library wants; they lie in a schema of their own. */
export async function migrateJobs(connection: pg.ClientConfig): Promise<void> {
  const pool = new pg.Pool({ ...connection, max: 1 });
  // It may still be closing its connection when the server is stopped.
  pool.on('error', () => undefined);
  try {
    await runMigrations({ pgPool: pool, logger: graphileLogger(silent) });
  } finally {
    await pool.end();
  }
}
