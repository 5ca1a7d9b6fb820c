import type { Connection } from '#infra/postgres/connection.ts';
import type { Logger } from '#ports/logger.ts';
import { openDataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import type { DataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import { DataDirectoryInUse } from '#infra/postgres/embedded/dataDirectoryInUse.ts';
import { readOwner } from '#infra/postgres/embedded/ownership.ts';
import { askForConnection } from '#infra/postgres/embedded/handOut.ts';
import { isAlive } from '#infra/postgres/embedded/processes.ts';
import { readPostmasterFile } from '#infra/postgres/embedded/postmasterFile.ts';
import { startEmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import { waitUntil } from '#infra/postgres/embedded/waitUntil.ts';

/** A database to work with; `close()` leaves things as they were found. */
export type BorrowedDatabase = { connection: Connection; close(): Promise<void> };

/** How long a service that is just starting is waited for, in milliseconds. */
const patience = 10_000;

/**
 * The embedded database of a data directory, for a command beside the service: the running service's server,
 * or, where no service runs, a server of our own until `close()`.
 * @throws DataDirectoryInUse when another command has it, or the service's server does not answer
 * @throws StartupError
 */
export async function connectToDataDirectory(
  dataDirectory: string,
  logger: Logger,
): Promise<BorrowedDatabase> {
  try {
    const started = await startEmbeddedPostgres({ dataDirectory, logger, purpose: 'command' });
    return { connection: started.connection, close: () => started.stop() };
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse)) throw error;
    const connection = await runningServer(await openDataDirectory(dataDirectory));
    if (connection === undefined) throw error;
    return { connection, close: () => Promise.resolve() };
  }
}

async function runningServer(directory: DataDirectory): Promise<Connection | undefined> {
  let connection: Connection | undefined;
  await waitUntil(async () => {
    const owner = await readOwner(directory);
    // Another command stops its server when it is done, in the middle of our work.
    if (owner?.purpose !== 'service') return true;
    const server = await readPostmasterFile(directory.cluster);
    if (server?.ready === true && isAlive(server.pid)) {
      connection = await askForConnection(server.socketDirectory, directory.path);
    }
    return connection !== undefined;
  }, patience);
  return connection;
}
