import type { ClientConfig } from 'pg';
import type { Connection } from '#infra/postgres/connection.ts';
import type { Logger } from '#ports/logger.ts';
import { locateBinaries } from '#infra/postgres/embedded/binaries.ts';
import { closeRules, openRules } from '#infra/postgres/embedded/authentication.ts';
import { ensureCluster } from '#infra/postgres/embedded/cluster.ts';
import { openDataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import type { DataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import { handOutConnection } from '#infra/postgres/embedded/handOut.ts';
import type { HandOut } from '#infra/postgres/embedded/handOut.ts';
import { serverIdentity } from '#infra/postgres/embedded/identity.ts';
import { newLogins } from '#infra/postgres/embedded/logins.ts';
import type { Logins } from '#infra/postgres/embedded/logins.ts';
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
  /** Of the owner and the roles. Good for as long as this lives, also after Postgres crashed and was started again. */
  readonly connection: Connection;
  /** Of the superuser, for tests. */
  readonly administrator: ClientConfig;
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
    const { supervisor, logins, handOut } = await startSupervisor(directory, options);
    return {
      ...logins,
      get pid() {
        return supervisor.pid;
      },
      stop: async () => {
        await handOut.close();
        await supervisor.stop();
        await ownership.release();
      },
    };
  } catch (error) {
    await ownership.release();
    throw error;
  }
}

type Started = { supervisor: Supervisor; logins: Logins; handOut: HandOut };

async function startSupervisor(
  directory: DataDirectory,
  { logger, settings }: EmbeddedPostgresOptions,
): Promise<Started> {
  const identity = await serverIdentity(directory.cluster);
  const binaries = await locateBinaries(identity, directory.path);
  await ensureCluster(directory, binaries, identity);
  const socketDirectory = await makeSocketDirectory(identity);
  const logins = newLogins(socketDirectory);
  await openRules(socketDirectory);
  const supervisor = new Supervisor({
    server: {
      program: binaries.postgres,
      cluster: directory.cluster,
      log: directory.log,
      identity,
      settings: { ...settings, ...fixed(socketDirectory) },
    },
    connection: logins.administrator,
    socketDirectory,
    logger,
  });
  await supervisor.start();
  try {
    await closeRules(socketDirectory, logins);
    const handOut = await handOutConnection(socketDirectory, directory.path, logins.connection);
    return { supervisor, logins, handOut };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}
