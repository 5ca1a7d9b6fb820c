import { Registry } from 'prom-client';
import { lagBehind } from '#infra/eventlog/lag.ts';
import type { Standing } from '#infra/subscriptions/standing.ts';
import type { Clock } from '#ports/clock.ts';
import type { EventLog } from '#ports/eventLog.ts';
import { createGauges } from '#src/main/gauges.ts';
import { numberOf } from '#src/main/viewMetrics.ts';

/** A subscriber whose position has not moved for so long, with events before it, is stuck; in seconds. */
const stuckAfter = 30;

const labels = ['subscriber'];
const described = {
  holdfast_subscriber_failing_seconds: [
    labels,
    'For how long a subscriber has not been able to handle what comes next in the event log, in seconds; 0: it can.',
  ],
  holdfast_subscriber_position: [
    labels,
    'The position in the event log that a subscriber has come to, as a number that grows with it.',
  ],
  holdfast_subscriber_lag_events: [labels, 'Events that a subscriber has not handled yet, 10,000 at most.'],
  holdfast_subscriber_lag_seconds: [
    labels,
    'The age of the first event that a subscriber has not handled yet, in seconds; 0: it has all.',
  ],
  holdfast_subscriber_skipped_events: [labels, 'Events that were left out for a subscriber for good.'],
} as const;

export type SubscriberMetricsOptions = {
  log: Pick<EventLog, 'readAll'>;
  clock: Clock;
  /** Of this version of the code. */
  subscribers: readonly { name: string; types: readonly string[] }[];
  /** Asked with each look; what it throws leaves the gauges empty. */
  standings: () => Promise<readonly Standing[]>;
};

/** How the subscribers of the whole service stand, by the database and the log. */
export function createSubscriberMetrics({ standings, ...options }: SubscriberMetricsOptions): Registry {
  const registry = new Registry();
  const types = new Map(options.subscribers.map((subscriber) => [subscriber.name, subscriber.types]));
  createGauges(registry, described, async (gauges) => {
    const found = await standings();
    const lags = new Map<string, Awaited<ReturnType<typeof lagBehind>>>();
    for (const { name, position } of found) {
      const wanted = types.get(name);
      if (wanted !== undefined) lags.set(name, await lagBehind(options, position, wanted));
    }
    gauges.reset();
    for (const { name: subscriber, position, skipped, ...standing } of found) {
      const lag = lags.get(subscriber);
      const failing = failingSeconds(standing, lag?.events ?? 0);
      gauges.set('holdfast_subscriber_failing_seconds', { subscriber }, failing);
      gauges.set('holdfast_subscriber_position', { subscriber }, numberOf(position));
      gauges.set('holdfast_subscriber_skipped_events', { subscriber }, skipped);
      // Of an earlier version of the code.
      if (lag === undefined) continue;
      gauges.set('holdfast_subscriber_lag_events', { subscriber }, lag.events);
      gauges.set('holdfast_subscriber_lag_seconds', { subscriber }, lag.seconds);
    }
  });
  return registry;
}

/** Nobody says of a subscriber that hangs, or that no process runs, that it has failed. */
function failingSeconds(
  { failingSeconds: known, unmovedSeconds }: Pick<Standing, 'failingSeconds' | 'unmovedSeconds'>,
  waiting: number,
): number {
  const isStuck = waiting > 0 && unmovedSeconds > stuckAfter;
  return isStuck ? Math.max(known, unmovedSeconds) : known;
}
