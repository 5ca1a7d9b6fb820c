import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTransaction } from '#infra/vault/tenantStatement.ts';
import { createWebhookOutbox } from '#infra/webhooks/outbox.ts';
import { createDeliveryQueue } from '#infra/webhooks/queue.ts';
import type { DeliveryQueue } from '#infra/webhooks/queue.ts';
import { startWorker } from '#src/main/worker.ts';
import { randomId } from '#src/identifiers.ts';
import { fakeReactors } from '#test/reactors/support/invocations.ts';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import type { Message } from '#test/webhooks/support/receiver.ts';
import { createToken, createWebhook, startWebhookService } from '#test/webhooks/support/webhooks.ts';

const workers = suite<{ service: VaultService }>('workers that share the deliveries');

workers.before(async (context) => {
  context.service = await startWebhookService();
});
workers.after(({ service }) => service.close());

workers(
  'given two workers, when one token is changed among many others, then its messages arrive in order, and few at a time',
  async ({ service }) => {
    const second = startWorker(service.composition, fakeReactors(), {}, { pollInterval: 10 });
    const receiver = await startReceiver();
    const open: unknown[] = [];
    let mostOpen = 0;
    let overlaps = 0;
    receiver.answer = (response, { body }) => {
      const token = (JSON.parse(body) as Message).data['token']?.['id'];
      if (open.includes(token)) overlaps += 1;
      mostOpen = Math.max(mostOpen, open.push(token));
      setTimeout(() => {
        open.splice(open.indexOf(token), 1);
        response.writeHead(204).end();
      }, 100);
    };
    await createWebhook(service, receiver.url, ['token.created', 'token.updated']);
    const id = await createToken(service);
    const changes = Array.from({ length: 40 }, (_, change) => String(change));
    for (const change of changes) {
      await service.call('PATCH', `/tokens/${id}`, { metadata: { change } });
      await Promise.all([createToken(service), createToken(service), createToken(service)]);
    }
    await until(() => receiver.received.length >= 161, 30_000);
    const ofToken = receiver
      .messages()
      .filter(({ data, type }) => type === 'token.updated' && data['token']?.['id'] === id);
    assert.equal(
      ofToken.map(({ data }) => data['token']?.['metadata']),
      changes.map((change) => ({ change })),
    );
    assert.is(overlaps, 0);
    assert.ok(mostOpen <= 16, `${mostOpen} at a time`);
    await second.stop();
    await receiver.close();
  },
);

const portion = { most: 10, retried: 5, replayed: 5 };

workers(
  'given a worker that dies with what it took, when another inherits the endpoint, then it takes that first, and alone',
  async ({ service }) => {
    const { owner } = service.composition.pools;
    await service.stopWorker();
    const [tenantId, webhookId, subject] = [randomId(), randomId(), randomId()];
    const make = (body: string) => ({
      tenantId,
      id: randomId(),
      webhookId,
      eventId: randomId(),
      kind: 'k',
      subject,
      body,
    });
    const add = (...bodies: string[]): Promise<void> =>
      inTransaction(owner, (client) =>
        createWebhookOutbox().add(client, {
          deliveries: bodies.map(make),
          retries: [],
          changed: [],
          deleted: [],
          replays: [],
          readTo: { occurredAt: new Date(), position: '0' },
        }),
      );
    const [dying, other] = [createDeliveryQueue(owner, randomId()), createDeliveryQueue(owner, randomId())];
    const served = { tenantId, webhookId, changes: 0 };
    // What the test before left due is nobody's, and due to all.
    const isDueTo = async (queue: DeliveryQueue): Promise<boolean> =>
      (await queue.due([])).some((endpoint) => endpoint.webhookId === webhookId);
    await add('1', '2');
    const taken = await dying.claim(served, portion);
    assert.equal(
      taken.map(({ body }) => body),
      ['1', '2'],
    );
    await add('3');
    assert.is(await isDueTo(other), false);
    assert.equal(await other.claim(served, portion), []);
    assert.equal(await dying.renew([webhookId]), [webhookId]);
    await owner.query(
      `update work.webhook_endpoints set served_until = now() - interval '1 second' where webhook_id = $1`,
      [webhookId],
    );
    assert.is(await isDueTo(other), true);
    const inherited = await other.claim(served, portion);
    assert.equal(
      inherited.map(({ body }) => body),
      ['1', '2', '3'],
    );
    assert.equal(await dying.renew([webhookId]), []);
    await dying.release(webhookId, taken);
    assert.equal(await other.claim(served, portion), []);
  },
);

workers.run();
