import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startWorker } from '#src/main/worker.ts';
import { fakeReactors } from '#test/reactors/support/invocations.ts';
import { until } from '#test/support/until.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import { createToken, createWebhook, manage, startWebhookService } from '#test/webhooks/support/webhooks.ts';

const interruptions = suite('interruptions of webhooks');

interruptions(
  'given a worker that stops in the middle, when another takes over, then nothing is lost, and what comes twice has the same id',
  async () => {
    const service = await startWebhookService();
    const receiver = await startReceiver();
    receiver.answer = () => undefined;
    const { id } = await createWebhook(service, receiver.url, ['token.created', 'token.deleted']);
    const tokens = [await createToken(service), await createToken(service)];
    await until(() => receiver.received.length > 0);
    await service.stopWorker();
    tokens.push(await createToken(service));
    const seen = receiver.messages().map((message) => message.id);
    receiver.answer = (response) => {
      response.writeHead(200).end();
    };
    receiver.received.length = 0;
    const worker = startWorker(service.composition, fakeReactors(), {}, { pollInterval: 10 });
    const arrived = () => receiver.messages().map(({ data }) => data['token']?.['id']);
    await until(() => tokens.every((token) => arrived().includes(token)));
    const ids = receiver.messages().map((message) => message.id);
    assert.is(new Set(ids).size, tokens.length);
    assert.ok(seen.every((one) => ids.includes(one)));
    const { rows } = await service.composition.pools.owner.query<{ attempts: number }>(
      'select attempts from work.webhook_deliveries where webhook_id = $1',
      [id],
    );
    assert.is(rows.length, tokens.length);
    await worker.stop();
    await service.close();
    await receiver.close();
  },
);

interruptions(
  'given a tenant that is deleted, when a while has passed, then none of its deliveries is kept',
  async () => {
    const service = await startWebhookService([60_000]);
    await createWebhook(service, 'http://127.0.0.1:1/');
    await createToken(service);
    const kept = async (): Promise<number> =>
      (await service.composition.pools.owner.query('select from work.webhook_deliveries')).rows.length;
    await until(async () => (await kept()) === 1);
    assert.ok((await manage(service, 'DELETE', '/tenants/self')).status < 300);
    await until(async () => (await kept()) === 0);
    await service.close();
  },
);

interruptions.run();
