import { createMetricsApp } from '#http/metricsApp.ts';
import type { Exposition } from '#http/metrics.ts';
import { CannotListen, PortInUse, listen } from '#http/server.ts';
import type { Config } from '#src/config.ts';
import type { Stack } from '#src/main/stack.ts';
import type { Logger } from '#ports/logger.ts';
import { StartupError } from '#src/startupError.ts';

/** How long an answer under way may take when the service stops, in milliseconds. */
const grace = 1_000;

/**
 * Answers `/metrics` at the address that the settings have for it, if any; the stack ends it.
 * @throws StartupError when nothing can listen there
 */
export async function listenForMetrics(
  { metricsAddress, hosts }: Config,
  { metrics, logger, stack }: { metrics: Exposition; logger: Logger; stack: Stack },
): Promise<void> {
  if (metricsAddress === undefined) return;
  const app = createMetricsApp(metrics, logger);
  const places = metricsAddress.hosts ?? hosts;
  const listening = await listen({ app, hosts: places, port: metricsAddress.port, grace }).catch(
    (error: unknown) => {
      if (!(error instanceof PortInUse || error instanceof CannotListen)) throw error;
      throw new StartupError(`${error.message}: set HOLDFAST_METRICS_ADDRESS to another`, { cause: error });
    },
  );
  stack.add(() => listening.close());
  logger.info({ hosts: listening.hosts, port: listening.port }, 'metrics are answered');
}
