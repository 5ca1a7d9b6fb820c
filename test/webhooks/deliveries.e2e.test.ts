import { constants, createPublicKey, verify } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import type { Receiver } from '#test/webhooks/support/receiver.ts';
import { webhookSuite } from '#test/webhooks/support/suite.ts';
import { createToken, createWebhook, deliveriesOf, manage } from '#test/webhooks/support/webhooks.ts';
import type { Webhook } from '#test/webhooks/support/webhooks.ts';

const deliveries = webhookSuite('deliveries of webhooks');

const arrived = (receiver: Receiver, count: number): Promise<boolean> =>
  until(() => receiver.received.length >= count);

deliveries(
  'given a webhook, when a token is created, then its envelope arrives once, signed, without a secret',
  async ({ service, receiver }) => {
    const { secret } = await createWebhook(service, receiver.url);
    const id = await createToken(service, 'a very secret text');
    await arrived(receiver, 1);
    const [received] = receiver.received;
    assert.ok(received !== undefined);
    const message = new StandardWebhook(secret).verify(
      received.body,
      received.headers as Record<string, string>,
    ) as Record<string, unknown>;
    assert.equal(Object.keys(message).sort(), ['data', 'id', 'tenant_id', 'timestamp', 'trace_id', 'type']);
    assert.equal([message['type'], message['tenant_id']], ['token.created', service.tenantId]);
    assert.is(received.headers['webhook-id'], message['id']);
    assert.is((message['data'] as { token: { id: string } }).token.id, id);
    assert.not.match(received.body, /very secret|fingerprint":|payload/);
    const [delivery] = await until(async () => {
      const listed = await deliveriesOf(service, (await list(service))[0]?.id ?? '');
      return listed[0]?.status === 'delivered' && listed;
    });
    assert.equal(
      [delivery?.attempts, delivery?.outcome, delivery?.response_status, delivery?.event_id],
      [1, '204', 204, message['id'] as string],
    );
    assert.type(delivery?.duration_ms, 'number');
  },
);

const list = async (service: VaultService): Promise<Webhook[]> =>
  (await manage<{ data: Webhook[] }>(service, 'GET', '/webhooks')).body.data;

deliveries(
  'given the public key that is served, when a message arrives, then its signature is verified by it',
  async ({ service, receiver }) => {
    await createWebhook(service, receiver.url);
    await createToken(service);
    await arrived(receiver, 1);
    const [received] = receiver.received;
    assert.ok(received !== undefined);
    const served = await service.call<string>('GET', '/keys/webhooks.v1.key', undefined, { key: '' });
    const key = createPublicKey(served.body);
    const { RSA_PKCS1_PSS_PADDING: padding } = constants;
    const signature = Buffer.from(String(received.headers['bt-signature']), 'base64');
    assert.is(received.headers['bt-signature-version'], 'v1');
    assert.ok(verify('sha256', Buffer.from(received.body), { key, padding }, signature));
    assert.not.ok(verify('sha256', Buffer.from(`${received.body} `), { key, padding }, signature));
  },
);

deliveries(
  'given a receiver that fails twice, when it is tried again, then the message has the same id and body each time',
  async ({ service, receiver }) => {
    const statuses = [503, 302];
    receiver.answer = (response) => {
      response.writeHead(statuses.shift() ?? 200, { Location: 'http://127.0.0.1:1/' }).end();
    };
    const { id } = await createWebhook(service, receiver.url);
    await createToken(service);
    await arrived(receiver, 3);
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    assert.is(ids.size, 1);
    assert.is(new Set(receiver.received.map(({ body }) => body)).size, 1);
    const [delivery] = await until(async () => {
      const listed = await deliveriesOf(service, id, '?status=delivered');
      return listed.length === 1 && listed;
    });
    assert.equal([delivery?.attempts, delivery?.outcome], [3, '200']);
  },
);

deliveries(
  'given an event that a webhook does not want, or that was before it, when others arrive, then it does not',
  async ({ service, receiver }) => {
    await createToken(service);
    await createWebhook(service, receiver.url, ['token.deleted', 'application.created']);
    const id = await createToken(service);
    await service.call('DELETE', `/tokens/${id}`);
    const application = { name: 'a', type: 'private', permissions: ['token:read'] };
    assert.is((await manage(service, 'POST', '/applications', application)).status, 201);
    await arrived(receiver, 2);
    assert.equal(
      receiver
        .messages()
        .map(({ type }) => type)
        .sort(),
      ['application.created', 'token.deleted'],
    );
  },
);

deliveries(
  'given changes of one token, when they arrive, then they are in the order of the log',
  async ({ service, receiver }) => {
    receiver.answer = (response) => {
      setTimeout(() => response.writeHead(204).end(), Math.random() * 30);
    };
    await createWebhook(service, receiver.url, ['token.created', 'token.updated', 'token.deleted']);
    const id = await createToken(service);
    for (let change = 1; change <= 5; change++) {
      await service.call('PATCH', `/tokens/${id}`, { metadata: { change: String(change) } });
    }
    await service.call('DELETE', `/tokens/${id}`);
    await arrived(receiver, 7);
    const changes = receiver.messages().map(({ data }) => data['token']?.['metadata']);
    assert.equal(
      changes.slice(1, 6),
      [1, 2, 3, 4, 5].map((change) => ({ change: String(change) })),
    );
    assert.is(receiver.messages().at(-1)?.type, 'token.deleted');
  },
);

deliveries(
  'given a receiver that answers 410, when it did, then the webhook is disabled and what waits is ended',
  async ({ service, receiver }) => {
    receiver.answer = (response) => {
      response.writeHead(410).end();
    };
    const { id } = await createWebhook(service, receiver.url);
    await createToken(service);
    const gone = await until(async () => {
      const [webhook] = await list(service);
      return webhook?.status === 'disabled' && webhook;
    });
    assert.is(gone.disabled_reason, 'gone');
    assert.equal(
      (await deliveriesOf(service, id)).map(({ status, outcome }) => [status, outcome]),
      [['failed', '410']],
    );
    assert.is((await manage(service, 'POST', `/webhooks/${id}/ping`)).status, 422);
  },
);

deliveries(
  'given a receiver that never accepts, when all retries are over, then the webhook is disabled; and enabled, it hears again',
  async ({ service, receiver }) => {
    receiver.answer = (response) => {
      response.writeHead(500).end();
    };
    const { id, name, url, events } = await createWebhook(service, receiver.url);
    await createToken(service);
    const failing = await until(async () => {
      const [webhook] = await list(service);
      return webhook?.status === 'disabled' && webhook;
    });
    assert.is(failing.disabled_reason, 'failing');
    const [failed] = await until(async () => {
      const listed = await deliveriesOf(service, id, '?status=failed');
      return listed.length === 1 && listed;
    });
    assert.ok(Number(failed?.attempts) >= 4, String(failed?.attempts));
    await createToken(service);
    receiver.answer = (response) => {
      response.writeHead(200).end();
    };
    receiver.received.length = 0;
    await manage(service, 'PUT', `/webhooks/${id}`, { name, url, events, status: 'enabled' });
    const token = await createToken(service);
    await arrived(receiver, 1);
    assert.equal(
      receiver.messages().map(({ data }) => data['token']?.['id']),
      [token],
    );
  },
);

deliveries(
  'given a receiver that is slow and one that is dead, when tokens are created, then the healthy one hears at once',
  async ({ service, receiver }) => {
    const slow = await startReceiver();
    slow.answer = () => undefined;
    await createWebhook(service, slow.url);
    await createWebhook(service, 'http://127.0.0.1:1/');
    await createWebhook(service, receiver.url);
    const startedAt = performance.now();
    for (let count = 0; count < 30; count++) await createToken(service);
    await arrived(receiver, 30);
    assert.ok(performance.now() - startedAt < 8_000);
    await slow.close();
  },
);

deliveries(
  'given a receiver that asks for patience, when it is overloaded, then it is left alone for so long',
  async ({ service, receiver }) => {
    receiver.answer = (response) => {
      response.writeHead(receiver.received.length === 1 ? 429 : 200, { 'Retry-After': '1' }).end();
    };
    await createWebhook(service, receiver.url);
    await createToken(service);
    await arrived(receiver, 1);
    await createToken(service);
    await arrived(receiver, 3);
    const [first, second] = receiver.received;
    assert.ok(Number(second?.at) - Number(first?.at) >= 990);
  },
);

deliveries.run();
