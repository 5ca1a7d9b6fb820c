import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createWebhookMetrics } from '#src/main/webhookMetrics.ts';
import { startWorker } from '#src/main/worker.ts';
import { fakeReactors } from '#test/reactors/support/invocations.ts';
import { until } from '#test/support/until.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import { createToken, createWebhook, startWebhookService } from '#test/webhooks/support/webhooks.ts';

const metrics = suite('metrics of webhooks');

metrics(
  'given deliveries that are accepted, refused and not answered, when metrics are asked for, then they are counted by what came back',
  async () => {
    const service = await startWebhookService();
    const receiver = await startReceiver();
    receiver.answer = (response) => {
      response.writeHead(receiver.received.length === 1 ? 500 : 204).end();
    };
    await service.stopWorker();
    const worker = startWorker(
      service.composition,
      fakeReactors(),
      {},
      { delays: [20, 60_000], pollInterval: 10 },
    );
    const text = (): Promise<string> => worker.metrics.metrics();
    await createWebhook(service, receiver.url);
    await createWebhook(service, 'http://127.0.0.1:1/');
    await createToken(service);
    await until(async () => {
      const lines = (await text()).split('\n');
      return [
        'holdfast_webhook_attempts_total{status="pending",outcome="5xx"} 1',
        'holdfast_webhook_attempts_total{status="delivered",outcome="2xx"} 1',
        'holdfast_webhook_attempts_total{status="pending",outcome="unreachable"} 2',
        'holdfast_webhook_attempt_duration_seconds_count 4',
        'holdfast_webhook_lateness_seconds_count{replayed="false"} 4',
        'holdfast_webhook_deliveries{state="due"} 0',
        'holdfast_webhook_deliveries{state="waiting"} 1',
        'holdfast_webhook_oldest_due_seconds 0',
      ].every((line) => lines.includes(line));
    });
    await worker.stop();
    await service.close();
    await receiver.close();
  },
);

metrics(
  'given a database that is gone, when metrics are asked for, then what is not known is left out and the rest is told',
  async () => {
    const { registry, observe } = createWebhookMetrics(() => Promise.reject(new Error('gone')));
    const attempt = { status: 'failed', outcome: '410', milliseconds: 5, late: 1, replayed: true } as const;
    observe(attempt);
    observe({ ...attempt, outcome: 'too_large' });
    const text = await registry.metrics();
    assert.match(text, 'holdfast_webhook_attempts_total{status="failed",outcome="4xx"} 1');
    assert.match(text, 'holdfast_webhook_attempts_total{status="failed",outcome="too_large"} 1');
    assert.not.match(text, /^holdfast_webhook_(deliveries|oldest)/m);
  },
);

metrics.run();
