import cluster from 'node:cluster';
import { AggregatorRegistry, Gauge, Registry } from 'prom-client';
import type { Exposition, Metrics } from '#http/metrics.ts';
import type { FromApiProcess, ToApiProcess } from '#src/main/messages.ts';
import type { Worker } from '#src/main/worker.ts';
import type { Logger } from '#ports/logger.ts';

/**
 * In an API process: the metrics of the whole service, whichever process is asked. They are put together by
 * the main process, which asks every API process for its own.
 */
export function metricsOfService(own: Metrics): Exposition {
  AggregatorRegistry.setRegistries([own.registry]);
  new AggregatorRegistry();
  const waiting = new Map<number, (text: string) => void>();
  let requests = 0;
  process.on('message', (message: ToApiProcess) => {
    if (message.type !== 'metrics') return;
    waiting.get(message.request)?.(message.text);
    waiting.delete(message.request);
  });
  return {
    contentType: own.contentType,
    text: () =>
      new Promise((resolve) => {
        requests++;
        waiting.set(requests, resolve);
        process.send?.({ type: 'metrics', request: requests } satisfies FromApiProcess);
      }),
  };
}

/** In the main process: the metrics of all its processes, put together. */
export function metricsOfProcesses(worker: Worker | undefined): Exposition {
  const all = new AggregatorRegistry();
  const own = worker === undefined ? [] : [workerMetrics(worker), worker.metrics];
  return {
    contentType: all.contentType,
    text: async () => {
      const texts = [all.clusterMetrics(), ...own.map((registry) => registry.metrics())];
      return (await Promise.all(texts)).join('\n');
    },
  };
}

/** In the main process: answers the API processes' requests for the metrics of the whole service. */
export function answerApiProcesses(metrics: Exposition, logger: Logger): void {
  cluster.on('message', (process, message: FromApiProcess) => {
    if (message.type !== 'metrics') return;
    metrics
      .text()
      .then((text) => {
        process.send({ type: 'metrics', request: message.request, text } satisfies ToApiProcess);
      })
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'the metrics could not be put together');
      });
  });
}

function workerMetrics(worker: Worker): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  };
  gauge(
    'holdfast_projections_running',
    'Whether this process runs the projections (1) or stands by (0).',
    () => (worker.projections().phase === 'running' ? 1 : 0),
  );
  gauge(
    'holdfast_projections_building',
    'Views that are being built.',
    () => worker.projections().building.length,
  );
  gauge('holdfast_worker_memory_bytes', 'Resident memory of the main process, in bytes.', () =>
    process.memoryUsage.rss(),
  );
  return registry;
}
