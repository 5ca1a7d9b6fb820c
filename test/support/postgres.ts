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
  try {
    const postgres = await startEmbeddedPostgres({
      dataDirectory,
      logger: silentLogger,
      settings: throwawaySettings,
    });
    if (!prepared) await createTemplate(postgres.connection);
    return {
      connection: postgres.connection,
      get pid() {
        return postgres.pid;
      },
      stop: async () => {
        await postgres.stop();
        await discard();
      },
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** The server of `connection` as a URL, for the environment of a test file. */
export function urlOf({ host, port, user, database }: EmbeddedPostgres['connection']): string {
  const url = new URL(`postgres://${user}@localhost:${port}/${database}`);
  url.searchParams.set('host', host ?? '');
  return url.href;
}
