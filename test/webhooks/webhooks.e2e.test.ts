import { Webhook as StandardWebhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { webhookStream } from '#domain/webhook/events.ts';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import {
  createToken,
  createWebhook,
  deleteAll,
  manage,
  startWebhookService,
} from '#test/webhooks/support/webhooks.ts';
import type { Webhook } from '#test/webhooks/support/webhooks.ts';

const webhooks = suite<{ service: VaultService }>('webhooks');
const url = 'https://example.com/hook?key=hidden';

webhooks.before(async (context) => {
  context.service = await startWebhookService();
});
webhooks.after(({ service }) => service.close());
webhooks.after.each(({ service }) => deleteAll(service));

webhooks(
  'given a webhook, when it is created, read, changed and deleted, then each answer shows it, and its secret once',
  async ({ service }) => {
    const created = await createWebhook(service, url, ['token.created', 'token.created']);
    assert.match(created.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...webhook } = created;
    const { body: read } = await manage<Webhook>(service, 'GET', `/webhooks/${webhook.id}`);
    assert.equal(read, webhook);
    assert.equal([read.status, read.url, read.events], ['enabled', url, ['token.created']]);
    const { body: list } = await manage<{ pagination: object; data: Webhook[] }>(service, 'GET', '/webhooks');
    assert.equal(list, { pagination: { page_size: 1 }, data: [webhook] });
    const change = { name: 'other', url: 'https://example.com/', events: ['token.deleted'] };
    const changed = await manage<Webhook>(service, 'PUT', `/webhooks/${webhook.id}`, {
      ...change,
      status: 'disabled',
      notify_email: 'a@example.com',
    });
    assert.is(changed.status, 200);
    const { name, status, notify_email } = changed.body as Webhook & { notify_email: string };
    assert.equal([name, status, notify_email], ['other', 'disabled', 'a@example.com']);
    assert.not.ok(JSON.stringify([list, changed.body]).includes(secret));
    assert.is((await manage(service, 'DELETE', `/webhooks/${webhook.id}`)).status, 204);
    assert.is((await manage(service, 'GET', `/webhooks/${webhook.id}`)).status, 404);
    assert.is((await manage(service, 'DELETE', `/webhooks/${webhook.id}`)).status, 404);
  },
);

webhooks(
  'given what is no address, when it is to be notified, then it is refused, on creation and on update',
  async ({ service }) => {
    const body = { name: 'hook', url, events: ['token.created'] };
    const { id } = await createWebhook(service, url);
    for (const address of [
      'not-an-address',
      'x\r\nBcc: y@z',
      'x@example.com\r\nBcc: y@example.com',
      'a b@z.com',
    ]) {
      const named = { ...body, notify_email: address };
      for (const [method, path] of [
        ['POST', '/webhooks'],
        ['PUT', `/webhooks/${id}`],
      ] as const) {
        const refused = await manage<{ errors: object }>(service, method, path, named);
        assert.equal([refused.status, Object.keys(refused.body.errors)], [400, ['notify_email']], address);
      }
    }
  },
);

webhooks(
  'given an idempotency key, when a webhook is created and rotated twice with it, then that happens once, and each answer has the secret',
  async ({ service }) => {
    const repeated = (path: string, body: unknown) =>
      service.call<Webhook>('POST', path, body, {
        key: service.keys.management,
        headers: { 'BT-IDEMPOTENCY-KEY': `once ${path}` },
      });
    const body = { name: 'once', url, events: ['token.created'] };
    const [first, second] = [await repeated('/webhooks', body), await repeated('/webhooks', body)];
    assert.is(first.status, 201);
    assert.equal(second.body, first.body);
    const path = `/webhooks/${first.body.id}/rotate-secret`;
    const [rotated, again] = [await repeated(path, undefined), await repeated(path, undefined)];
    assert.is(rotated.status, 200, JSON.stringify(rotated.body));
    assert.match(rotated.body.secret, /^whsec_/);
    assert.equal(again.body, rotated.body);
  },
);

webhooks(
  'given five webhooks, when a sixth is created, also at the same time, then it is 422',
  async ({ service }) => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        manage(service, 'POST', '/webhooks', { name: String(index), url, events: ['token.created'] }),
      ),
    );
    const statuses = replies.map(({ status }) => status);
    assert.is(statuses.filter((status) => status === 201).length, 5, String(statuses));
    const { body } = await manage<{ data: Webhook[] }>(service, 'GET', '/webhooks');
    assert.is(body.data.length, 5);
    const sixth = await manage(service, 'POST', '/webhooks', { name: 'x', url, events: ['token.created'] });
    assert.is(sixth.status, 422);
  },
);

webhooks(
  'given what no webhook can be, when it is asked for, then it is 400 and says where',
  async ({ service }) => {
    const good = { name: 'a', url, events: ['token.created'] };
    const bad: [object, string][] = [
      [{ ...good, url: 'http://example.com/' }, 'url'],
      [{ ...good, url: 'ftp://example.com/' }, 'url'],
      [{ ...good, url: 'https://user:password@example.com/' }, 'url'],
      [{ ...good, url: 'https://10.0.0.1/' }, 'url'],
      [{ ...good, url: 'https://169.254.169.254/latest' }, 'url'],
      [{ ...good, url: 'https://localhost/' }, 'url'],
      [{ ...good, url: 'example.com' }, 'url'],
      [{ ...good, url: `https://example.com/${'a'.repeat(10_000)}` }, 'url'],
      [{ ...good, events: [] }, 'events'],
      [{ ...good, events: ['token.created', 'token.stolen'] }, 'events[1]'],
      [{ ...good, events: ['tenant.erased'] }, 'events[0]'],
      [{ ...good, name: '' }, 'name'],
    ];
    for (const [body, path] of bad) {
      const reply = await manage<{ errors: object }>(service, 'POST', '/webhooks', body);
      assert.is(reply.status, 400, JSON.stringify([body, reply.body]).slice(0, 300));
      assert.equal(Object.keys(reply.body.errors), [path]);
    }
    const { id } = await createWebhook(service, url);
    assert.is(
      (await manage(service, 'PUT', `/webhooks/${id}`, { ...good, url: 'http://example.com' })).status,
      400,
    );
    assert.is((await manage(service, 'POST', `/webhooks/${id}/replay`, { from: 'yesterday' })).status, 400);
  },
);

webhooks(
  'given a key without the permission, when it asks, then it is 403; either name of it is enough',
  async ({ service }) => {
    assert.is((await service.call('GET', '/webhooks')).status, 403);
    for (const permission of ['webhook:read', 'webhooks:read']) {
      const made = await manage<{ key: string }>(service, 'POST', '/applications', {
        name: 'reader',
        type: 'management',
        permissions: [permission],
      });
      assert.is(made.status, 201, JSON.stringify(made.body));
      const { key } = made.body;
      assert.is((await service.call('GET', '/webhooks', undefined, { key })).status, 200);
      assert.is((await service.call('GET', '/webhooks/event-types', undefined, { key })).status, 200);
      const body = { name: 'a', url, events: ['token.created'] };
      assert.is((await service.call('POST', '/webhooks', body, { key })).status, 403);
    }
  },
);

webhooks(
  'given a webhook, when the log and the tables are searched, then neither URL nor secret is there',
  async ({ service }) => {
    const { id, secret } = await createWebhook(service, url);
    await manage(service, 'POST', `/webhooks/${id}/rotate-secret`, {});
    const { log, pools } = service.composition;
    const events = await log.readStream(webhookStream(service.tenantId));
    const text = JSON.stringify(events.map(({ data }) => data));
    assert.not.match(text, /hidden|whsec_/);
    const { rows } = await pools.owner.query('select * from vault.payloads');
    assert.not.ok(JSON.stringify(rows).includes(secret));
  },
);

webhooks(
  'given a rotated secret, when a message is sent, then both secrets verify it; without an overlap only the new one',
  async ({ service }) => {
    const receiver = await startReceiver();
    const { id, secret } = await createWebhook(service, receiver.url);
    const rotate = (body: object) =>
      manage<{ secret: string }>(service, 'POST', `/webhooks/${id}/rotate-secret`, body);
    const { body: second } = await rotate({});
    await createToken(service);
    await until(() => receiver.received.length === 1);
    const verifies = (one: string, index: number): boolean => {
      const received = receiver.received[index];
      try {
        new StandardWebhook(one).verify(received?.body ?? '', received?.headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    assert.equal([verifies(secret, 0), verifies(second.secret, 0)], [true, true]);
    const { body: third } = await rotate({ overlap_seconds: 0 });
    await createToken(service);
    await until(() => receiver.received.length === 2);
    assert.equal(
      [verifies(secret, 1), verifies(second.secret, 1), verifies(third.secret, 1)],
      [false, false, true],
    );
    await receiver.close();
  },
);

webhooks(
  'given a deleted webhook, when a while has passed, then the vault holds nothing of it',
  async ({ service }) => {
    const { id } = await createWebhook(service, url);
    await manage(service, 'POST', `/webhooks/${id}/rotate-secret`, {});
    await manage(service, 'DELETE', `/webhooks/${id}`);
    const stream = webhookStream(service.tenantId);
    await until(async () => {
      const { rows } = await service.composition.pools.owner.query(
        'select from vault.payloads where stream = $1',
        [stream],
      );
      return rows.length === 0;
    });
  },
);

webhooks.run();
