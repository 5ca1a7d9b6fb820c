import type { ClientConfig } from 'pg';
import type { Logger } from '#ports/logger.ts';
import { locateBinaries } from '#infra/postgres/embedded/binaries.ts';
import { database, ensureCluster, user } from '#infra/postgres/embedded/cluster.ts';
import { openDataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import type { DataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import { serverIdentity } from '#infra/postgres/embedded/identity.ts';
import { ownDataDirectory } from '#infra/postgres/embedded/ownership.ts';
import type { Purpose } from '#infra/postgres/embedded/ownership.ts';
import { fixed } from '#infra/postgres/embedded/settings.ts';
import type { Settings } from '#infra/postgres/embedded/settings.ts';
import { makeSocketDirectory } from '#infra/postgres/embedded/socketDirectory.ts';
import { Supervisor } from '#infra/postgres/embedded/supervisor.ts';

export type EmbeddedPostgresOptions = {
  dataDirectory: string;
  logger: Logger;
  /** `service` when not given. */
  purpose?: Purpose;
  /** Further settings of Postgres, over those in the cluster. */
  settings?: Settings;
};

export type EmbeddedPostgres = {
  /** Good for as long as this lives, also after Postgres crashed and was started again. */
  readonly connection: ClientConfig;
  /** Process id of the postmaster; undefined while it is being started again. */
  readonly pid: number | undefined;
  /** Fast shutdown, immediate when that takes more than 10 s; then gives the data directory free. */
  stop(): Promise<void>;
};

/**
 * Takes the data directory for this process alone, and runs PostgreSQL in it until `stop()`, or until this
 * process ends in whatever way. The cluster is made when there is none.
 * @throws DataDirectoryInUse when another process has it
 * @throws StartupError when it cannot be used, or PostgreSQL does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = await openDataDirectory(options.dataDirectory);
  const ownership = await ownDataDirectory(directory, options.purpose ?? 'service');
  try {
    const supervisor = await startSupervisor(directory, options);
    return {
      connection: supervisor.connection,
      get pid() {
        return supervisor.pid;
      },
      stop: async () => {
        await supervisor.stop();
        await ownership.release();
      },
    };
  } catch (error) {
    await ownership.release();
    throw error;
  }
}

async function startSupervisor(
  directory: DataDirectory,
  { logger, settings }: EmbeddedPostgresOptions,
): Promise<Supervisor> {
  const identity = await serverIdentity(directory.cluster);
  const binaries = await locateBinaries(identity, directory.path);
  await ensureCluster(directory, binaries, identity);
  const socketDirectory = await makeSocketDirectory(identity);
  const supervisor = new Supervisor({
    server: {
      program: binaries.postgres,
      cluster: directory.cluster,
      log: directory.log,
      identity,
      settings: { ...settings, ...fixed(socketDirectory) },
    },
    connection: connectionThrough(socketDirectory),
    socketDirectory,
    logger,
  });
  await supervisor.start();
  return supervisor;
}

/** How to reach the server whose socket is in this directory. */
export function connectionThrough(socketDirectory: string): ClientConfig {
  return { host: socketDirectory, port: 5432, user, database, ssl: false };
}
