import { Gauge, Registry } from 'prom-client';
import type { Standing } from '#infra/subscriptions/standing.ts';

/** What a worker tells of subscribers. @param standings asked with each look; what it throws leaves the gauge empty */
export function createSubscriberMetrics(
  standings: () => Promise<readonly Pick<Standing, 'name' | 'failingSeconds'>[]>,
): Registry {
  const registry = new Registry();
  new Gauge({
    name: 'holdfast_subscriber_failing_seconds',
    help: 'For how long a subscriber has not been able to handle what comes next in the event log, in seconds; 0: it can.',
    labelNames: ['subscriber'],
    registers: [registry],
    async collect() {
      const found = await standings().catch(() => []);
      this.reset();
      for (const { name, failingSeconds } of found) this.set({ subscriber: name }, failingSeconds);
    },
  });
  return registry;
}
