import { Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export interface RequestMetrics {
  observe(method: string, route: string, status: number, seconds: number): void;
}

/** What `/metrics` answers. */
export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

export type Metrics = RequestMetrics & Exposition & { readonly registry: Registry };

/** The process's metrics; others may register theirs in the registry. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request handled to its answer, in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    registry,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observe: (method, route, status, seconds) => {
      durations.observe({ method, route, status }, seconds);
    },
  };
}
