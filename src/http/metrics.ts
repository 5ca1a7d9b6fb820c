import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Metric } from 'prom-client';
import type { RateScope } from '#ports/rateLimiter.ts';
import { standardRateLimits } from '#src/rateLimits.ts';

/** What is counted of card numbers that clients give, by whether their key may be anybody's. */
export interface CardMetrics {
  /** Numbers that their client had not given before, within the window. */
  cardNumbersSeen(caller: CardCaller, count: number): void;
  /** A client gave many numbers of one issuer. */
  manyCardNumbers(caller: CardCaller): void;
}
export type CardCaller = 'public' | 'private';

export interface RequestMetrics extends CardMetrics {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** A client was over the limit of a scope. */
  refused(scope: RateScope): void;
}

/** What `/metrics` answers. */
export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
}

export type Metrics = RequestMetrics & Exposition & { readonly registry: Registry };

/** The process's metrics, with those that others count. */
export function createMetrics(...others: readonly Metric[]): Metrics {
  const registry = new Registry();
  for (const metric of others) registry.registerMetric(metric);
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request handled to its answer, in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'holdfast_rate_limited_requests_total',
    help: 'Requests that were refused because their client made too many, by the limit that it went over.',
    labelNames: ['scope'],
    registers: [registry],
  });
  for (const scope of Object.keys(standardRateLimits)) refusals.inc({ scope }, 0);
  const cardNumbers = new Counter({
    name: 'holdfast_card_numbers_total',
    help: 'Different card numbers that clients gave, each counted once for a client in ten minutes, by the kind of key.',
    labelNames: ['caller'],
    registers: [registry],
  });
  const cardAlarms = new Counter({
    name: 'holdfast_card_number_alarms_total',
    help: 'Clients that gave fifty different card numbers of one issuer within ten minutes, by the kind of key.',
    labelNames: ['caller'],
    registers: [registry],
  });
  for (const caller of ['public', 'private']) {
    cardNumbers.inc({ caller }, 0);
    cardAlarms.inc({ caller }, 0);
  }
  return {
    registry,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observe: (method, route, status, seconds) => {
      durations.observe({ method, route, status }, seconds);
    },
    cardNumbersSeen: (caller, count) => {
      cardNumbers.inc({ caller }, count);
    },
    manyCardNumbers: (caller) => {
      cardAlarms.inc({ caller });
    },
    refused: (scope) => {
      refusals.inc({ scope });
    },
  };
}
