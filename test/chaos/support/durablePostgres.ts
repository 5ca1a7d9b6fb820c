import { join } from 'node:path';
import { postgresProcesses } from '#infra/postgres/embedded/processes.ts';
import { startEmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import { urlOf } from '#test/support/postgres.ts';
import { newDataDirectory, removeDataDirectory } from '#test/support/service.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

/** A server that keeps what it acknowledges, for a service that is given a `DATABASE_URL`. */
export type DurablePostgres = {
  /** Path of its socket. */
  socket: string;
  url: string;
  processes(): Promise<number[]>;
  stop(): Promise<void>;
};

export async function startDurablePostgres(): Promise<DurablePostgres> {
  const directory = await newDataDirectory();
  const postgres = await startEmbeddedPostgres({ dataDirectory: directory, logger: silentLogger });
  const { host = '', port = 5432 } = postgres.administrator;
  return {
    socket: join(host, `.s.PGSQL.${port}`),
    url: urlOf(postgres),
    processes: () => postgresProcesses(join(directory, 'postgres'), postgres.pid ?? 0),
    stop: async () => {
      await postgres.stop();
      await removeDataDirectory(directory);
    },
  };
}
