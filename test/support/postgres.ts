import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import type { EmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import { createTemplate, putPreparedCluster, throwawaySettings } from '#test/support/preparedCluster.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { counted } from '#test/support/helperCosts.ts';

/**
 * A server whose data is lost at `stop()`, and may be lost in any crash before: fast, for tests only. It has a
 * database that is migrated, `templateName`, to copy others from.
 */
export const startThrowawayPostgres = (): Promise<EmbeddedPostgres> => counted('server', startPrepared);

async function startPrepared(): Promise<EmbeddedPostgres> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  const prepared = await putPreparedCluster(dataDirectory);
  const discard = (): Promise<void> => rm(dataDirectory, { recursive: true, force: true });
  let postgres: EmbeddedPostgres | undefined;
  try {
    postgres = await startEmbeddedPostgres({
      dataDirectory,
      logger: silentLogger,
      settings: throwawaySettings,
    });
    const server = postgres;
    if (!prepared) await createTemplate(server.administrator);
    return {
      connection: server.connection,
      administrator: server.administrator,
      get pid() {
        return server.pid;
      },
      stop: async () => {
        await server.stop();
        await discard();
      },
    };
  } catch (error) {
    await postgres?.stop();
    await discard();
    throw error;
  }
}

/** The server as its superuser's URL, for the environment of a test file. */
export function urlOf({ administrator }: EmbeddedPostgres): string {
  const { host, port, user, password, database } = administrator;
  const url = new URL(`postgres://${user}:${password as string}@localhost:${port}/${database}`);
  url.searchParams.set('host', host ?? '');
  return url.href;
}
