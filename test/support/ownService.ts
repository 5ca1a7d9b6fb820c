import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { App } from '#http/app.ts';
import { createMetrics } from '#http/metrics.ts';
import { listen } from '#http/server.ts';
import type { Logger } from '#ports/logger.ts';
import type { Outbound } from '#ports/outbound.ts';
import { readConfig } from '#src/config.ts';
import { serviceOf } from '#src/main/appOf.ts';
import { compose } from '#src/main/compose.ts';
import type { Composition } from '#src/main/compose.ts';
import { createPaymentProviders } from '#src/main/paymentProviders.ts';
import type { WebhookSettings } from '#src/main/webhookWork.ts';
import { startWorker } from '#src/main/worker.ts';
import type { JobSettings } from '#src/main/worker.ts';
import type { Reactors } from '#src/reactors/invocation.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

/** The whole service in this process, without a tenant. */
export type OwnService = {
  composition: Composition;
  app: App;
  url: string;
  /** Parts of the names of its database, its directory and its processes. */
  belongings: readonly string[];
  stopWorker(): Promise<void>;
  close(): Promise<void>;
};

export type OwnServiceOptions = {
  /** Settings beside the data directory. */
  environment?: Record<string, string>;
  reactors?: Reactors;
  /** In place of the one that the settings make. */
  outbound?: Outbound;
  logger?: Logger;
  invocations?: JobSettings;
  webhooks?: WebhookSettings;
};

const sizes = { owner: 4, api: 4, vault: 4, log: 4 };

/** Starts the service in this process, on a database and a data directory of its own. */
export async function startOwnService({
  environment = {},
  reactors,
  outbound,
  logger = silentLogger,
  invocations,
  webhooks,
}: OwnServiceOptions): Promise<OwnService> {
  const database = await createTestDatabase();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  const config = readConfig({
    HOLDFAST_DATA_DIR: dataDirectory,
    HOLDFAST_RATE_LIMITS: 'off',
    ...environment,
  });
  const composed = await compose(config, database.connection, logger, { sizes, serves: true });
  const composition =
    outbound === undefined
      ? composed
      : { ...composed, outbound, paymentProviders: createPaymentProviders({ ...composed, outbound }) };
  const service = serviceOf(composition, {
    readiness: [],
    metrics: createMetrics(composition.integrityAlarms),
    reactors,
  });
  const worker = startWorker(composition, service.reactors, invocations, webhooks);
  let stopped: Promise<void> | undefined;
  const stopWorker = (): Promise<void> => (stopped ??= worker.stop());
  await worker.viewsBuilt();
  const listening = await listen({ app: service.app, hosts: ['127.0.0.1'], port: 0 });
  return {
    composition,
    app: service.app,
    url: `http://127.0.0.1:${listening.port}`,
    belongings: [database.name, basename(dataDirectory), 'infra/sandbox/host'],
    stopWorker,
    close: async () => {
      await listening.close();
      await stopWorker();
      await composition.close();
      await database.drop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}
