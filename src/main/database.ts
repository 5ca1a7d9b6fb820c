import { roles } from '#infra/postgres/connection.ts';
import type { Connection, Logins } from '#infra/postgres/connection.ts';
import { openDataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import { startEmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import { settings } from '#src/config.ts';
import type { Config } from '#src/config.ts';
import { loginSettings } from '#src/databaseSettings.ts';
import type { Logger } from '#ports/logger.ts';

export type Database = { connection: Connection; close(): Promise<void> };

/**
 * The database that the settings name: the embedded one, which this process then owns, or one elsewhere.
 * @throws StartupError
 */
export async function openDatabase(config: Config, logger: Logger): Promise<Database> {
  const elsewhere = connectionElsewhere(config);
  if (elsewhere !== undefined) {
    tellWhatIsOpen(elsewhere, logger);
    return remoteDatabase(config.dataDirectory, elsewhere);
  }
  const postgres = await startEmbeddedPostgres({ dataDirectory: config.dataDirectory, logger });
  return { connection: postgres.connection, close: () => postgres.stop() };
}

/** The data directory still holds the root key. */
export async function remoteDatabase(dataDirectory: string, connection: Connection): Promise<Database> {
  await openDataDirectory(dataDirectory);
  return { connection, close: () => Promise.resolve() };
}

/** How the settings say that a database elsewhere is reached; undefined: it is the embedded one. */
export function connectionElsewhere(config: Config): Connection | undefined {
  if (config.databaseUrl === undefined) return undefined;
  const logins = Object.entries(loginSettings).flatMap(([role, setting]) => {
    const connectionString = config[setting];
    return connectionString === undefined ? [] : [[role, { connectionString }]];
  });
  return { connectionString: config.databaseUrl, logins: Object.fromEntries(logins) as Logins };
}

/** Who can leave a role is not bound by it. */
function tellWhatIsOpen({ logins }: Connection, logger: Logger): void {
  const missing = roles.filter((role) => logins?.[role] === undefined);
  if (missing.length === 0) return;
  logger.warn(
    { settings: missing.map((role) => settings[loginSettings[role]].name) },
    'the user of DATABASE_URL enters roles that it can leave: give each role a login of its own',
  );
}
