import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create, get, manage, send, startProxying, stopProxying } from '#test/proxies/support/proxies.ts';
import type { Context, Problem, Proxy } from '#test/proxies/support/proxies.ts';
import { until } from '#test/support/until.ts';

const empties = suite<Context>('proxies: what is left empty, and lists of transforms');
const code = 'module.exports = async ({ args }) => ({ body: { by: "transform" } });';
const reactorCode = 'module.exports = async ({ args }) => ({ raw: { body: { by: "reactor" } } });';

empties.before(async (context) => {
  Object.assign(context, await startProxying());
});
empties.after(stopProxying);
empties.before.each(({ destination }) => {
  destination.reset();
});

/** Each of what clients write for what nobody set. */
const nothings = [null, '', {}, []];
const names = [
  'request_transform',
  'response_transform',
  'request_transforms',
  'response_transforms',
  'request_reactor_id',
  'response_reactor_id',
  'require_auth',
  'application',
];
const emptied = (nothing: unknown): object => Object.fromEntries(names.map((name) => [name, nothing]));
const shownOf = (proxy: Proxy): string[] => names.filter((name) => name in proxy);

async function createReactor({ service }: Context): Promise<string> {
  const body = { name: 'r', code: reactorCode };
  const made = await service.call<{ id: string }>('POST', '/reactors', body, {
    key: service.keys.management,
  });
  assert.is(made.status, 201);
  return made.body.id;
}

async function createLender({ service }: Context): Promise<string> {
  const body = { name: 'lent', type: 'private', permissions: ['token:create'] };
  const made = await service.call<{ id: string }>('POST', '/applications', body, {
    key: service.keys.management,
  });
  return made.body.id;
}

async function faultsOf({ service }: Context, body: object, path = '', method = 'POST'): Promise<unknown> {
  const whole = method === 'PATCH' ? body : { name: 'one', destination_url: 'https://example.com', ...body };
  const reply = await manage<Problem>(service, method, path, whole);
  assert.is(reply.status, 400, JSON.stringify(reply.body));
  return reply.body.errors;
}

empties(
  'given empty members, when a proxy is created, then it has none of them, and needs a key',
  async (context) => {
    for (const nothing of nothings) {
      const made = await create(context, emptied(nothing));
      assert.equal([shownOf(made), made['require_auth']], [['require_auth'], true], JSON.stringify(nothing));
    }
    for (const id of ['', null, {}]) {
      assert.not.ok('application_id' in (await create(context, { application: { id } })));
    }
  },
);

empties(
  'given empty members, when a proxy is replaced, then it has none of them; when it is patched, null alone takes away',
  async (context) => {
    const { service, destination } = context;
    const all = {
      request_transform: { code },
      response_transform: { code },
      request_reactor_id: await createReactor(context),
      application: { id: await createLender(context) },
      require_auth: false,
    };
    for (const nothing of nothings) {
      const put = await create(context, all);
      const whole = { name: 'two', destination_url: destination.url, ...emptied(nothing) };
      const replaced = await manage<Proxy>(service, 'PUT', `/${put.id}`, whole);
      assert.equal([replaced.status, shownOf(replaced.body)], [200, ['require_auth']]);
      assert.is(replaced.body['application_id'], undefined);

      const patched = await create(context, all);
      const before = await get(service, patched.id);
      const reply = await manage(service, 'PATCH', `/${patched.id}`, {
        ...emptied(nothing),
        application: { id: nothing },
      });
      assert.is(reply.status, 204, JSON.stringify(reply.body));
      const after = await get(service, patched.id);
      if (nothing === null) {
        assert.equal([shownOf(after), after['require_auth']], [['require_auth'], true]);
        assert.is(after['application_id'], undefined);
      } else {
        const kept = ['application_id', ...names];
        assert.equal(
          kept.map((name) => after[name]),
          kept.map((name) => before[name]),
          JSON.stringify(nothing),
        );
      }
    }
    const kept = await create(context, all);
    assert.is((await manage(service, 'PATCH', `/${kept.id}`, { name: 'two' })).status, 204);
    assert.equal((await get(service, kept.id))['request_transform'], { code });
  },
);

empties('given a misspelt member, another type or two transforms, then 400 names it', async (context) => {
  const { id } = await create(context);
  for (const [path, method] of [
    ['', 'POST'],
    [`/${id}`, 'PUT'],
    [`/${id}`, 'PATCH'],
  ] as const) {
    const refused = (body: object): Promise<unknown> => faultsOf(context, body, path, method);
    const unknown = ['is not a property that is known here'];
    assert.equal(await refused({ request_transform: { cod: code } }), {
      'request_transform.code': ['is required'],
      'request_transform.cod': unknown,
    });
    assert.equal(await refused({ response_transform: { code, matcher: 'x' } }), {
      'response_transform.matcher': unknown,
    });
    assert.equal(await refused({ response_transform: { code, type: 'mask' } }), {
      'response_transform.type': ['must be "code", or null'],
    });
    assert.equal(Object.keys((await refused({ request_transform: { code: '' } })) as object), [
      'request_transform.code',
    ]);
    assert.equal(await refused({ request_transforms: [{ type: 'tokenize', code }] }), {
      'request_transforms[0].type': ['must be "code", or null'],
    });
    assert.equal(await refused({ request_transforms: [{ type: 'code', code, expression: 'x' }] }), {
      'request_transforms[0].expression': unknown,
    });
    const two = [
      { type: 'code', code },
      { type: 'code', code },
    ];
    assert.equal(Object.keys((await refused({ response_transforms: two })) as object), [
      'response_transforms',
    ]);
    assert.equal(
      await refused({ request_transform: { code: 'x' }, request_transforms: [{ type: 'code', code }] }),
      { request_transforms: ['must be the same as request_transform, or absent'] },
    );
  }
});

empties('given a list of nothing, then there is no transform', async (context) => {
  for (const nothing of [[{}], [''], [null], [{}, {}]]) {
    const made = await create(context, { request_transforms: nothing, response_transforms: nothing });
    assert.equal(shownOf(made), ['require_auth'], JSON.stringify(nothing));
  }
});

empties('given wrong code in a list, then 400 names it there', async (context) => {
  const { id } = await create(context);
  const wrong = { code: "require('ssh2'); module.exports = () => 1;" };
  for (const [path, method] of [
    ['', 'POST'],
    [`/${id}`, 'PUT'],
    [`/${id}`, 'PATCH'],
  ] as const) {
    const pathsOf = async (body: object): Promise<string[]> =>
      Object.keys((await faultsOf(context, body, path, method)) as object);
    assert.equal(await pathsOf({ request_transforms: [{ type: 'code', ...wrong }] }), [
      'request_transforms[0].code',
    ]);
    assert.equal(await pathsOf({ response_transform: wrong }), ['response_transform.code']);
  }
});

empties('given a list of one transform, then it runs, and both forms are read back', async (context) => {
  const { service, destination } = context;
  const list = [{ type: 'code', code }];
  const made = await create(context, { request_transforms: list, response_transforms: [] });
  assert.equal([made['request_transform'], made['request_transforms']], [{ code }, list]);
  assert.not.ok('response_transform' in made || 'response_transforms' in made);
  await until(async () => (await send(context, '/proxy', sentWith(context, made))).status === 200);
  assert.is(destination.last().body, '{"by":"transform"}');
  const other = [{ type: 'code', code: reactorCode }];
  assert.is((await manage(service, 'PATCH', `/${made.id}`, { request_transforms: other })).status, 204);
  const patched = await get(service, made.id);
  assert.equal([patched['request_transform'], patched['request_transforms']], [{ code: reactorCode }, other]);
  assert.is((await manage(service, 'PUT', `/${made.id}`, patched)).status, 200);
});

const sentWith = ({ service }: Context, { key }: Proxy) => ({
  method: 'POST',
  key: service.keys.private,
  headers: { 'BT-PROXY-KEY': key, 'Content-Type': 'application/json' },
  body: '{"card":"plain"}',
});

empties(
  'given a transform and a reactor for one way, then both are kept, and the transform runs',
  async (context) => {
    const { service, destination } = context;
    const reactorId = await createReactor(context);
    const both = { request_transform: { code }, request_reactor_id: reactorId };
    const made = await create(context, both);
    assert.equal([made['request_transform'], made['request_reactor_id']], [{ code }, reactorId]);
    assert.equal(await get(service, made.id), made);
    await send(context, '/proxy', sentWith(context, made));
    assert.is(destination.last().body, '{"by":"transform"}');

    const patched = async (patch: object): Promise<unknown[]> => {
      assert.is((await manage(service, 'PATCH', `/${made.id}`, patch)).status, 204);
      const proxy = await get(service, made.id);
      return [proxy['request_transform'], proxy['request_reactor_id']];
    };
    assert.equal(await patched({ request_transform: { code: 'two' } }), [{ code: 'two' }, reactorId]);
    assert.equal(await patched({ request_transform: '' }), [{ code: 'two' }, reactorId]);
    assert.equal(await patched({ request_transform: null }), [undefined, reactorId]);
    await send(context, '/proxy', sentWith(context, made));
    assert.is(destination.last().body, '{"by":"reactor"}');
    assert.equal(await patched({ request_transform: { code } }), [{ code }, reactorId]);
    assert.equal(await patched({ request_reactor_id: reactorId }), [{ code }, reactorId]);
    assert.equal(await patched({ request_reactor_id: null }), [{ code }, undefined]);
    assert.equal(await patched({ request_reactor_id: reactorId }), [{ code }, reactorId]);
  },
);

empties.run();
