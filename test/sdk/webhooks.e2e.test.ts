import { BasisTheoryError } from '@basis-theory/node-sdk';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { webhookKinds } from '#domain/webhook/kinds.ts';
import { failureOf } from '#test/sdk/support/failure.ts';
import { clientOf } from '#test/sdk/support/node.ts';
import { absentId, methodsOf } from '#test/sdk/support/operations.ts';
import { serve } from '#test/sdk/support/served.ts';
import type { Served } from '#test/sdk/support/served.ts';

const sdk = suite<Served & { node: ReturnType<typeof clientOf> }>('node-sdk: webhooks');

sdk.before(async (context) => {
  Object.assign(context, await serve());
  context.node = clientOf(context.service.credentials.management, context.service);
});
sdk.after(({ stop }) => stop());

const statusOf = async (call: Promise<unknown>): Promise<number | undefined> => {
  const failure = await failureOf(call);
  return failure instanceof BasisTheoryError ? failure.statusCode : undefined;
};

const url = 'https://example.com/hook';

sdk('given the library, then its calls are those below', ({ node: { webhooks } }) => {
  assert.equal(methodsOf(webhooks), ['create', 'delete', 'events', 'get', 'list', 'ping', 'update']);
  assert.equal(methodsOf(webhooks.events), ['list']);
});

sdk(
  'given a webhook, when it is created, read, listed, changed and deleted, then each call answers as it expects',
  async ({ node: { webhooks }, service }) => {
    const made = await webhooks.create({
      name: 'first',
      url,
      events: ['token.created'],
      notifyEmail: 'ops@example.com',
    });
    assert.equal([made.status, made.url, made.notifyEmail], ['enabled', url, 'ops@example.com']);
    assert.ok(made.createdAt instanceof Date);
    assert.is(made.tenantId, service.credentials.tenant_id);
    const { secret, ...shown } = made as typeof made & { secret: string };
    assert.match(secret, /^whsec_/);
    assert.equal(await webhooks.get(made.id), shown);
    const list = await webhooks.list();
    assert.equal([list.pagination, list.data], [{ pageSize: 1 }, [shown]]);
    const changed = await webhooks.update(made.id, { name: 'second', url, events: ['token.deleted'] });
    assert.equal(
      [changed.name, changed.events, changed.notifyEmail],
      ['second', ['token.deleted'], undefined],
    );
    assert.ok(changed.modifiedAt instanceof Date && changed.modifiedBy === made.createdBy);
    await webhooks.delete(made.id);
    assert.is(await statusOf(webhooks.get(made.id)), 404);
  },
);

sdk('given the service, when it is pinged and asked for kinds, then it answers', async ({ node }) => {
  assert.is(await node.webhooks.ping(), undefined);
  assert.equal(await node.webhooks.events.list(), webhookKinds);
});

sdk(
  'given what is wrong, absent or not allowed, when it is asked for, then the library throws its error',
  async ({ node: { webhooks }, service }) => {
    const request = { name: 'a', url, events: ['token.created'] };
    const stranger = clientOf(service.credentials.private, service).webhooks;
    const failures = [
      webhooks.create({ ...request, url: 'http://example.com' }),
      webhooks.create({ ...request, events: ['no.such'] }),
      webhooks.update(absentId, request),
      webhooks.delete(absentId),
      stranger.list(),
      clientOf('key_none', service).webhooks.list(),
    ].map(statusOf);
    assert.equal(await Promise.all(failures), [400, 400, 404, 404, 403, 401]);
  },
);

sdk.run();
