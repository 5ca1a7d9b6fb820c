import type pg from 'pg';
import { openDataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import { startEmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import type { Config } from '#src/config.ts';
import type { Logger } from '#ports/logger.ts';

export type Database = { connection: pg.ClientConfig; close(): Promise<void> };

/**
 * The database that the settings name: the embedded one, which this process then owns, or one elsewhere.
 * @throws StartupError
 */
export async function openDatabase(config: Config, logger: Logger): Promise<Database> {
  if (config.databaseUrl !== undefined) return remoteDatabase(config.dataDirectory, config.databaseUrl);
  const postgres = await startEmbeddedPostgres({ dataDirectory: config.dataDirectory, logger });
  return { connection: postgres.connection, close: () => postgres.stop() };
}

/** The data directory still holds the root key. */
export async function remoteDatabase(dataDirectory: string, connectionString: string): Promise<Database> {
  await openDataDirectory(dataDirectory);
  return { connection: { connectionString }, close: () => Promise.resolve() };
}
