import { flushCompileCache } from 'node:module';
import { readConfig } from '#src/config.ts';
import { createMetrics } from '#http/metrics.ts';
import { listen } from '#http/server.ts';
import type { Listening } from '#http/server.ts';
import { appOf } from '#src/main/appOf.ts';
import { compose } from '#src/main/compose.ts';
import type { Composition } from '#src/main/compose.ts';
import { keepDebuggerClosed } from '#src/main/keepDebuggerClosed.ts';
import { createLogger } from '#src/main/logger.ts';
import type { FromApiProcess, ServeOrder, ToApiProcess } from '#src/main/messages.ts';
import { metricsOfService } from '#src/main/serviceMetrics.ts';
import { readinessChecks } from '#src/main/readiness.ts';
import { startupSentence } from '#src/main/startupSentence.ts';

type Serving = { composition: Composition; listening: Listening };

const config = readConfig(process.env);
const logger = createLogger(config, 'api');
const sizes = { owner: 1, api: 6, vault: 6, log: 4 };
let serving: Promise<Serving> | undefined;

keepDebuggerClosed(logger);

const tell = (message: FromApiProcess): void => {
  process.send?.(message);
};

async function serve({ connection, port = config.port }: ServeOrder): Promise<Serving> {
  const composition = await compose(config, connection, logger, { sizes, serves: true });
  const metrics = createMetrics(composition.integrityAlarms);
  const app = appOf(composition, {
    readiness: readinessChecks(composition),
    metrics: { ...metrics, ...metricsOfService(metrics) },
  });
  const listening = await listen({
    app,
    hosts: config.hosts,
    port,
    mostConnections: config.connections,
  });
  composition.sandbox.prepare();
  // Node would write it when the process ends, which one that is killed does not live to see.
  flushCompileCache();
  tell({ type: 'listening', port: listening.port, hosts: listening.hosts });
  return { composition, listening };
}

async function stop(): Promise<void> {
  const running = await serving?.catch(() => undefined);
  await running?.listening.close();
  await running?.composition.close();
  process.disconnect();
}

process.on('message', (message: ToApiProcess) => {
  if (message.type === 'serve') {
    serving = serve(message);
    serving.catch((error: unknown) => {
      const sentence = startupSentence(error);
      if (sentence === undefined) logger.error({ err: error }, 'the API process could not start');
      tell({ type: 'failed', message: sentence ?? 'an API process could not start: see the log' });
    });
  }
  if (message.type === 'stop') void stop();
});

// The main process ends this one when its time has come, also on Ctrl-C, which the terminal sends to both.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
