import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create, get, manage, send, startProxying, stopProxying } from '#test/proxies/support/proxies.ts';
import type { Context, List, Problem, Proxy } from '#test/proxies/support/proxies.ts';
import { until } from '#test/support/until.ts';

const proxies = suite<Context>('proxies');
const absent = '00000000-0000-4000-8000-000000000000';
const code = 'module.exports = async (req) => req.args;';

proxies.before(async (context) => {
  Object.assign(context, await startProxying());
});
proxies.after(stopProxying);
proxies.before.each(({ destination }) => {
  destination.reset();
});

/** The ids of what the vault holds of a proxy. */
async function payloads({ service }: Context, id: string): Promise<string[]> {
  const { rows } = await service.composition.pools.owner.query<{ id: string }>(
    'select id from vault.payloads where stream like $1',
    [`proxy-%${id}`],
  );
  return rows.map((row) => row.id);
}

async function faultsOf(context: Context, body: object, path = '', method = 'POST'): Promise<string[]> {
  const reply = await manage<Problem>(context.service, method, path, body);
  assert.is(reply.status, 400, JSON.stringify(reply.body));
  return Object.keys(reply.body.errors).sort();
}

proxies('given the least, when a proxy is created, then it needs a key of the tenant', async (context) => {
  const made = await create(context);
  assert.match(made.key, /^key_dev_prx_[A-Za-z0-9]{38}$/);
  const { id, key, tenant_id, created_by, created_at, ...rest } = made;
  assert.equal(rest, {
    state: 'active',
    name: 'one',
    destination_url: context.destination.url,
    configuration: {},
    require_auth: true,
  });
  assert.ok(id && key && tenant_id === context.service.tenantId && created_by && created_at);
  assert.equal(await get(context.service, id), made);
});

proxies(
  'given all there is, when a proxy is made, replaced and patched, then it is as was said',
  async (context) => {
    const { service, destination } = context;
    const application = { name: 'lent', type: 'private', permissions: ['token:create'] };
    const { body: lent } = await service.call<{ id: string }>('POST', '/applications', application, {
      key: service.keys.management,
    });
    const reactor = { name: 'r', code: 'x', configuration: {} };
    const { body: made } = await service.call<{ id: string }>('POST', '/reactors', reactor, {
      key: service.keys.management,
    });
    const proxy = await create(context, {
      request_transform: { code },
      response_reactor_id: made.id,
      application: { id: lent.id },
      configuration: { SERVICE_API_KEY: 'key_abcd1234', other: '1' },
      require_auth: false,
    });
    assert.equal(
      [
        proxy['request_transform'],
        proxy['response_reactor_id'],
        proxy['application_id'],
        proxy['require_auth'],
      ],
      [{ code }, made.id, lent.id, false],
    );
    const patched = async (patch: object): Promise<Proxy> => {
      const reply = await manage(service, 'PATCH', `/${proxy.id}`, patch);
      assert.is(reply.status, 204, JSON.stringify(reply.body));
      return get(service, proxy.id);
    };
    const first = await patched({ configuration: { other: null, added: '2' }, response_transform: { code } });
    assert.equal(first.configuration, { SERVICE_API_KEY: 'key_abcd1234', added: '2' });
    assert.equal([first['response_transform'], first['response_reactor_id']], [{ code }, made.id]);
    assert.equal(
      [first['request_transform'], first['application_id'], first.key],
      [{ code }, lent.id, proxy.key],
    );
    const second = await patched({ request_transform: null, application: null, request_reactor_id: made.id });
    assert.equal(
      [second['request_transform'], second['application_id'], second['request_reactor_id']],
      [undefined, undefined, made.id],
    );
    assert.equal((await patched({})).modified_at, second['modified_at']);
    const replaced = await manage<Proxy>(service, 'PUT', `/${proxy.id}`, {
      name: 'two',
      destination_url: `${destination.url}/two`,
    });
    assert.is(replaced.status, 200);
    const { id, key, name, destination_url, require_auth, configuration } = replaced.body;
    assert.equal(
      [id, key, name, destination_url, require_auth, configuration],
      [proxy.id, proxy.key, 'two', `${destination.url}/two`, true, {}],
    );
    assert.not.ok('request_reactor_id' in replaced.body || 'response_transform' in replaced.body);
    assert.equal(await get(service, proxy.id), replaced.body);
  },
);

proxies('given several, when they are listed, then ids and names select, newest first', async (context) => {
  const one = await create(context, { name: 'Payments EU' });
  const two = await create(context, { name: 'payments us' });
  const listed = await manage<List>(context.service, 'GET', '?name=*PAYMENTS*');
  assert.equal(listed.body.data, [two, one]);
  assert.equal((await manage<List>(context.service, 'GET', `?id=${one.id}&id=${absent}`)).body.data, [one]);
});

proxies('given what is wrong, when a proxy is written, then each fault is named', async (context) => {
  const valid = { name: 'one', destination_url: 'https://example.com/' };
  assert.equal(await faultsOf(context, {}), ['destination_url', 'name']);
  for (const url of [
    'http://example.com/',
    'https://10.0.0.1/',
    'https://8.8.8.8/',
    'https://[::1]/',
    'https://0xa.1/',
    'https://localhost/',
    'https://user:secret@example.com/',
    'ftp://example.com/',
    'example.com',
    `https://example.com/${'x'.repeat(400)}`,
  ]) {
    assert.equal(await faultsOf(context, { ...valid, destination_url: url }), ['destination_url'], url);
  }
  const transform = (length: number) => ({ ...valid, request_transform: { code: 'x'.repeat(length) } });
  assert.is((await manage(context.service, 'POST', '', transform(50_000))).status, 201);
  assert.equal(await faultsOf(context, transform(50_001)), ['request_transform.code']);
  assert.equal(await faultsOf(context, { ...valid, response_transform: { code: '' } }), [
    'response_transform.code',
  ]);
  const large = { code: '\u0001'.repeat(30_000) };
  assert.equal(await faultsOf(context, { ...valid, request_transform: large, response_transform: large }), [
    'request_transform.code',
  ]);
  assert.equal(
    await faultsOf(context, { ...valid, request_transform: { code }, request_reactor_id: absent }),
    ['request_reactor_id'],
  );
  assert.equal(await faultsOf(context, { ...valid, response_reactor_id: absent }), ['response_reactor_id']);
  assert.equal(await faultsOf(context, { ...valid, application: { id: absent } }), ['application.id']);
  const { id } = await create(context);
  assert.equal(await faultsOf(context, { destination_url: 'http://x/' }, `/${id}`, 'PATCH'), [
    'destination_url',
  ]);
  assert.is((await manage(context.service, 'PUT', `/${absent}`, valid)).status, 404);
  assert.is(
    (await manage(context.service, 'GET', `/${absent}`, undefined, context.service.keys.private)).status,
    403,
  );
});

proxies(
  'given a writer that may not read, when it changes a proxy, then it sees no secret',
  async (context) => {
    const { service, destination } = context;
    const application = { name: 'writer', type: 'management', permissions: ['proxy:create', 'proxy:update'] };
    const { body } = await service.call<{ key: string }>('POST', '/applications', application, {
      key: service.keys.management,
    });
    const content = { name: 'one', destination_url: destination.url, configuration: { a: 'b' } };
    const made = await manage<Proxy>(service, 'POST', '', content, body.key);
    assert.is(made.status, 201);
    assert.ok(made.body.key);
    const changed = await manage<Proxy>(service, 'PUT', `/${made.body.id}`, content, body.key);
    assert.equal(
      ['key', 'destination_url', 'configuration'].filter((name) => name in changed.body),
      [],
    );
  },
);

proxies(
  'given a key that is used again, when a proxy is created, then it is the same proxy',
  async (context) => {
    const { service, destination } = context;
    const body = { name: 'once', destination_url: destination.url };
    const options = { key: service.keys.management, headers: { 'BT-IDEMPOTENCY-KEY': 'proxy-once' } };
    const first = await service.call<Proxy>('POST', '/proxies', body, options);
    assert.equal((await service.call<Proxy>('POST', '/proxies', body, options)).body, first.body);
  },
);

proxies(
  'given a proxy, when it is changed and deleted, then the vault keeps no more than it needs',
  async (context) => {
    const { service } = context;
    const proxy = await create(context, { require_auth: false });
    const path = `/proxy?bt-proxy-key=${proxy.key}`;
    await manage(service, 'PATCH', `/${proxy.id}`, { name: 'two' });
    await until(async () => (await payloads(context, proxy.id)).length === 1);
    assert.is((await send(context, path)).status, 200);
    assert.is((await manage(service, 'DELETE', `/${proxy.id}`)).status, 204);
    assert.is((await send(context, path)).status, 401);
    assert.is((await send(context, path, { key: service.keys.private })).status, 404);
    assert.is((await manage(service, 'GET', `/${proxy.id}`)).status, 404);
    await until(async () => (await payloads(context, proxy.id)).length === 0);
    await until(async () => {
      const { rows } = await service.composition.pools.owner.query(
        'select 1 from vault.credentials where key_id = $1',
        [proxy.id],
      );
      return rows.length === 0;
    });
  },
);

proxies(
  'given proxies, when the log and the views are read, then no secret of theirs is there',
  async (context) => {
    const secret = 'a secret that cannot come about by chance';
    const proxy = await create(context, {
      configuration: { secret },
      destination_url: `${context.destination.url}/hidden-place`,
    });
    const { owner } = context.service.composition.pools;
    const events = await owner.query('select data::text from event_log.events where stream like $1', [
      `proxy-%${proxy.id}`,
    ]);
    const rows = await owner.query('select proxies::text from read_models.proxies as proxies');
    const text = JSON.stringify([events.rows, rows.rows]);
    assert.ok(events.rows.length === 1 && rows.rows.length > 0);
    for (const hidden of [secret, 'hidden-place', proxy.key]) assert.not.ok(text.includes(hidden), hidden);
  },
);

proxies.run();
