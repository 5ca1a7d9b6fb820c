import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ObservedAttempt, WebhookBacklog } from '#ports/webhookSending.ts';

export type WebhookMetrics = { registry: Registry; observe(attempt: ObservedAttempt): void };

/** What a worker tells of deliveries. @param backlog asked with each look; what it throws leaves the gauges empty */
export function createWebhookMetrics(backlog: () => Promise<WebhookBacklog>): WebhookMetrics {
  const registry = new Registry();
  const registers = [registry];
  const attempts = new Counter({
    name: 'holdfast_webhook_attempts_total',
    help: 'Attempts to deliver to webhooks: what became of the delivery (delivered, pending, failed), and what came back.',
    labelNames: ['status', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'holdfast_webhook_attempt_duration_seconds',
    help: 'Time of an attempt to deliver to a webhook, in seconds.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers,
  });
  const lateness = new Histogram({
    name: 'holdfast_webhook_lateness_seconds',
    help: 'Time from when a delivery was due to when it was attempted, in seconds; of replays apart.',
    labelNames: ['replayed'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 600, 3_600],
    registers,
  });
  let looking: Promise<WebhookBacklog | undefined> | undefined;
  // Both gauges are asked for together.
  const look = (): Promise<WebhookBacklog | undefined> =>
    (looking ??= backlog()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
      }));
  new Gauge({
    name: 'holdfast_webhook_oldest_due_seconds',
    help: 'For how long the oldest delivery is due that is not made yet, in seconds.',
    registers,
    async collect() {
      const found = await look();
      if (found === undefined) this.remove();
      else this.set(found.oldestDue);
    },
  });
  new Gauge({
    name: 'holdfast_webhook_deliveries',
    help: 'Deliveries to webhooks that are not made yet: due now, or waiting for their next attempt.',
    labelNames: ['state'],
    registers,
    async collect() {
      const found = await look();
      this.reset();
      if (found === undefined) return;
      this.set({ state: 'due' }, found.due);
      this.set({ state: 'waiting' }, found.waiting);
    },
  });
  return {
    registry,
    observe: ({ status, outcome, milliseconds, late, replayed }) => {
      attempts.inc({ status, outcome: classOf(outcome) });
      durations.observe(milliseconds / 1_000);
      lateness.observe({ replayed: String(replayed) }, late / 1_000);
    },
  };
}

/** `204` is of the class `2xx`, `timed_out_total` of `timed_out`: receivers must not make series. */
const classOf = (outcome: string): string =>
  /^\d{3}$/.test(outcome)
    ? `${outcome.charAt(0)}xx`
    : (/^(refused|unreachable|timed_out)/.exec(outcome)?.[0] ?? outcome);
