import { resolve } from 'node:path';
import { hasCluster } from '#infra/postgres/embedded/cluster.ts';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { openDataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import type { Connection } from '#infra/postgres/connection.ts';
import { requireLogins } from '#infra/postgres/requireLogins.ts';
import { NoInstallation, requireInstallation } from '#infra/postgres/requireInstallation.ts';
import { openRootKey } from '#infra/vault/keyProviders/openKeyProvider.ts';
import { rootKeySource } from '#src/main/compose.ts';
import { connectionElsewhere, remoteDatabase } from '#src/main/database.ts';
import type { Database } from '#src/main/database.ts';
import type { Config } from '#src/config.ts';
import type { Logger } from '#ports/logger.ts';

/** The database that the settings name, for a command that may run beside the service; made where there is none. @throws StartupError */
export function borrowDatabase(config: Config, logger: Logger): Promise<Database> {
  const { dataDirectory } = config;
  const elsewhere = connectionElsewhere(config);
  if (elsewhere !== undefined) return remoteDatabase(dataDirectory, elsewhere);
  return connectToDataDirectory(dataDirectory, logger);
}

/**
 * The same database for a command on what a start has made; where there is nothing, nothing is made.
 * @throws NoInstallation @throws PendingMigration when a start has to come first @throws StartupError
 */
export async function borrowInstallation(config: Config, logger: Logger): Promise<Database> {
  const elsewhere = connectionElsewhere(config);
  if (elsewhere !== undefined) return remoteInstallation(config, elsewhere);
  const place = `the data directory ${resolve(config.dataDirectory)} (HOLDFAST_DATA_DIR; by default .holdfast where the command runs)`;
  if (!(await hasCluster(config.dataDirectory))) throw new NoInstallation(place);
  const database = await connectToDataDirectory(config.dataDirectory, logger);
  try {
    await requireInstallation(database.connection, place);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Its data directory need not be here when the root key comes from a setting. */
async function remoteInstallation(config: Config, connection: Connection): Promise<Database> {
  await requireInstallation(connection, 'the database that DATABASE_URL names');
  await requireLogins(connection);
  if (config.rootKey === undefined) {
    await openRootKey(rootKeySource(config));
    await openDataDirectory(config.dataDirectory);
  }
  return { connection, close: () => Promise.resolve() };
}
