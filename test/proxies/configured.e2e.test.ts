import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  card,
  create,
  createCard,
  errorOf,
  json,
  manage,
  send,
  startProxying,
  stopProxying,
} from '#test/proxies/support/proxies.ts';
import type { Context, Proxy } from '#test/proxies/support/proxies.ts';

const configured = suite<Context>('configured proxies');

configured.before(async (context) => {
  Object.assign(context, await startProxying());
});
configured.after(stopProxying);
configured.before.each(({ destination }) => {
  destination.reset();
});

configured(
  'given the key of a proxy, in a header or the query, then it leads to its destination',
  async (context) => {
    const { destination, service } = context;
    const proxy = await create(context, { destination_url: `${destination.url}/api?v=1` });
    const id = await createCard(context);
    const body = JSON.stringify({ number: `{{ ${id} | json: '$.number' }}` });
    const init = { method: 'POST', key: service.keys.private, body };
    await send(context, '/proxy/a?b=c', { ...init, headers: { ...json, 'BT-PROXY-KEY': proxy.key } });
    await send(context, `/proxy/a?b=c&BT-proxy-key=${proxy.key}&d`, { ...init, headers: json });
    assert.equal(
      destination.seen.map(({ url, body }) => [url, body]),
      [
        ['/api/a?v=1&b=c', JSON.stringify({ number: card.number })],
        ['/api/a?v=1&b=c&d', JSON.stringify({ number: card.number })],
      ],
    );
  },
);

configured(
  'given a proxy for everybody, when no key is shown, then expressions are left alone',
  async (context) => {
    const proxy = await create(context, { require_auth: false });
    const id = await createCard(context);
    const body = JSON.stringify({ number: `{{ ${id} }}` });
    const init = {
      method: 'POST',
      headers: { ...json, 'BT-PROXY-KEY': proxy.key, 'X-Text': '{{ not one }}' },
      body,
    };
    const reply = await send(context, '/proxy', init);
    assert.is(reply.status, 200, reply.text);
    assert.is(context.destination.last().body, body);
    assert.is(context.destination.last().headers['x-text'], '{{ not one }}');
    const known = {
      ...init,
      headers: { ...json, 'BT-PROXY-KEY': proxy.key },
      key: context.service.keys.private,
    };
    await send(context, '/proxy', known);
    assert.equal(JSON.parse(context.destination.last().body), { number: card });
  },
);

configured(
  'given a proxy of a tenant, then no other tenant can use it, or find out that it is there',
  async (context) => {
    const { service, destination } = context;
    const stranger = await service.anotherTenant();
    for (const require_auth of [true, false]) {
      const { key } = await create(context, { require_auth });
      const headers = { 'BT-PROXY-KEY': key };
      const unknown = { 'BT-PROXY-KEY': service.composition.credentials.generate('proxy') };
      for (const asked of [stranger.private, ...(require_auth ? [undefined] : [])]) {
        const there = await send(context, '/proxy', { key: asked, headers });
        const nowhere = await send(context, '/proxy', { key: asked, headers: unknown });
        assert.is(there.status, asked === undefined ? 401 : 404);
        assert.equal([there.status, there.text], [nowhere.status, nowhere.text]);
      }
    }
    assert.is(destination.seen.length, 0);
  },
);

configured(
  'given keys of other things, then they are none of proxies, and the other way round',
  async (context) => {
    const { service } = context;
    const proxy = await create(context, { require_auth: false });
    for (const key of Object.values(service.keys)) {
      assert.is((await send(context, '/proxy', { headers: { 'BT-PROXY-KEY': key } })).status, 401);
    }
    assert.is((await service.call('GET', '/tokens', undefined, { key: proxy.key })).status, 401);
  },
);

configured('given a proxy that is changed, then the very next request goes the new way', async (context) => {
  const { service, destination } = context;
  const proxy = await create(context, { require_auth: false });
  const headers = { 'BT-PROXY-KEY': proxy.key };
  await manage(service, 'PATCH', `/${proxy.id}`, { destination_url: `${destination.url}/new` });
  assert.is((await send(context, '/proxy', { headers })).status, 200);
  assert.is(destination.last().url, '/new');
  await manage(service, 'PATCH', `/${proxy.id}`, { require_auth: true });
  assert.is((await send(context, '/proxy', { headers })).status, 401);
  assert.is((await send(context, '/proxy', { headers, key: service.keys.private })).status, 200);
});

configured(
  'given a request, when it goes through a proxy, then that and its tokens are in the audit log first',
  async (context) => {
    const { service, destination } = context;
    const proxy: Proxy = await create(context);
    const id = await createCard(context);
    const logged = async (
      entityId: string,
      type: string,
    ): Promise<{ operation: string; actor_type: string }[]> => {
      const query = `?entity_type=${type}&entity_id=${entityId}&size=100`;
      const reply = await service.call<{ data: { operation: string; actor_type: string }[] }>(
        'GET',
        `/logs${query}`,
        undefined,
        { key: service.keys.management },
      );
      return reply.body.data;
    };
    let whenAsked: { operation: string }[] = [];
    destination.take = (_, response) => {
      void Promise.all([logged(proxy.id, 'proxy'), logged(id, 'token')]).then((entries) => {
        whenAsked = entries.flat();
        response.end();
      });
    };
    const headers = { 'BT-PROXY-KEY': proxy.key, 'X-Card': `{{ ${id} }}` };
    assert.is((await send(context, '/proxy', { key: service.keys.private, headers })).status, 200);
    const operations = whenAsked.map(({ operation }) => operation);
    assert.ok(operations.includes('invoke') && operations.includes('use'), operations.join());
    const invoked = (await logged(proxy.id, 'proxy')).filter(({ operation }) => operation === 'invoke');
    assert.is(invoked.length, 1);
    assert.is((await send(context, '/proxy', { key: service.keys.management, headers })).status, 403);
  },
);

configured(
  'given proxies, when they come and go, then webhooks are told of them, without secrets',
  async (context) => {
    const { service } = context;
    const proxy = await create(context, { configuration: { a: 'b' } });
    await manage(service, 'PATCH', `/${proxy.id}`, { name: 'two' });
    await manage(service, 'DELETE', `/${proxy.id}`);
    const { rows } = await service.composition.pools.owner.query<{ type: string }>(
      'select type from event_log.events where stream like $1 order by 1',
      [`proxy-%${proxy.id}`],
    );
    assert.equal(
      rows.map(({ type }) => type),
      ['proxy.created', 'proxy.deleted', 'proxy.updated'],
    );
    const kinds = await service.call<string[]>('GET', '/webhooks/event-types', undefined, {
      key: service.keys.management,
    });
    assert.equal(
      kinds.body.filter((kind) => kind.startsWith('proxy.')),
      ['proxy.created', 'proxy.deleted', 'proxy.updated'],
    );
  },
);

configured('given a tenant that is deleted, then its proxies lead nowhere', async () => {
  const context = await startProxying();
  try {
    const { service } = context;
    const { key } = await create(context, { require_auth: false });
    await service.call('DELETE', '/tenants/self', undefined, { key: service.keys.management });
    const reply = await send(context, '/proxy', { headers: { 'BT-PROXY-KEY': key } });
    assert.ok(reply.status === 401 || reply.status === 404, String(reply.status));
    assert.ok(errorOf(reply).detail);
    assert.is(context.destination.seen.length, 0);
  } finally {
    await stopProxying(context);
  }
});

configured.run();
