import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Problem = { errors?: Record<string, string[]> };
type Operation = {
  requestBody?: { content: Record<string, unknown> };
  security?: readonly unknown[];
};
type Document = { paths: Record<string, Record<string, Operation>> };
type Route = { method: string; path: string; operation: Operation };
type Context = { service: VaultService; routes: Route[]; ids: Record<string, string> };

/** All that the published interface takes, with a member or a parameter that nobody knows. */
const unknown = suite<Context>('http: what no route knows');

const notAMember = ['is not a property that is known here'];
const notAParameter = ['is not a parameter that is known here'];

/** Where members are anybody's own, or a client library of the time sends some that it need not. */
const open: Readonly<Record<string, string>> = {
  'POST /tokenize': 'any JSON',
  'POST /detokenize': 'any JSON',
  'POST /tokens': 'later members of tokens: docs/compatibility.md',
  'PATCH /tokens/{id}': 'later members of tokens: docs/compatibility.md',
};
/** Its query and body are for a destination. */
const handedOn = (path: string): boolean => path.startsWith('/proxy');

unknown.before(async (context) => {
  const service = await startVaultService();
  const { paths } = (await service.call<Document>('GET', '/openapi.json')).body;
  const key = service.keys.management;
  const reactor = { name: 'r', code: 'module.exports = async () => ({ raw: 1 });' };
  const made = await service.call<{ id: string }>('POST', '/reactors', reactor, { key });
  context.service = service;
  context.ids = { reactors: made.body.id };
  context.routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
});
unknown.after(({ service }) => service.close());

/** With whichever key may do it at all. */
async function ask(
  { service, ids }: Context,
  { method, path, operation }: Route,
  { query = '', body }: { query?: string; body?: object },
): Promise<Reply<Problem>> {
  const [, resource = ''] = path.split('/');
  const named = path.replaceAll(/\{[^}]*\}/g, ids[resource] ?? '11111111-1111-4111-8111-111111111111');
  const [contentType = 'application/json'] = Object.keys(operation.requestBody?.content ?? {});
  const { management, private: own, public: browser } = service.keys;
  for (const key of [management, own]) {
    const reply = await service.call<Problem>(method, named + query, body, { key, contentType });
    if (reply.status !== 403) return reply;
  }
  return service.call<Problem>(method, named + query, body, { key: browser, contentType });
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const writes = ({ method }: Route): boolean => ['POST', 'PUT', 'PATCH'].includes(method);
const takesJson = ({ operation }: Route): boolean =>
  Object.keys(operation.requestBody?.content ?? { 'application/json': {} }).some((type) => /json/.test(type));
const isOpen = ({ operation }: Route): boolean => operation.security?.length === 0;

unknown('given a member that no route knows, then each refuses it, but for those listed', async (context) => {
  const asked = context.routes.filter(
    (route) => writes(route) && takesJson(route) && !isOpen(route) && !handedOn(route.path),
  );
  assert.ok(asked.length > 30, String(asked.length));
  const overlooked: string[] = [];
  for (const route of asked) {
    const { status, body } = await ask(context, route, { body: { no_such_member: 1 } });
    const fault = body.errors?.['no_such_member'];
    if (status === 400 && fault !== undefined) assert.equal(fault, notAMember, nameOf(route));
    else overlooked.push(nameOf(route));
  }
  assert.equal(overlooked.sort(), Object.keys(open).sort());
});

unknown('given a parameter that no route knows, then each refuses it', async (context) => {
  const asked = context.routes.filter((route) => !isOpen(route) && !handedOn(route.path));
  assert.ok(asked.length > 60, String(asked.length));
  const overlooked: string[] = [];
  for (const route of asked) {
    const body = writes(route) && route.operation.requestBody !== undefined ? { body: {} } : {};
    const reply = await ask(context, route, { query: '?no_such_parameter=1', ...body });
    const fault = reply.body.errors?.['no_such_parameter'];
    if (reply.status === 400 && fault !== undefined) assert.equal(fault, notAParameter, nameOf(route));
    else overlooked.push(`${nameOf(route)} ${reply.status}`);
  }
  assert.equal(overlooked, []);
});

unknown('given what says where a list goes on, then lists that show all of it take that', async (context) => {
  const key = { key: context.service.keys.management };
  for (const path of ['/webhooks', '/orchestration/connections', '/orchestration/connection_formulas']) {
    const reply = await context.service.call('GET', `${path}?page=1&start=x&size=100`, undefined, key);
    assert.is(reply.status, 200, path);
  }
});

unknown('given an empty body where none is taken, then that is nothing', async ({ service }) => {
  for (const body of [undefined, {}, null]) {
    const reply = await service.call('POST', '/sessions', body, { key: service.keys.public });
    assert.is(reply.status, 201, JSON.stringify(reply.body));
  }
  const form = await service.call('POST', '/sessions', new Uint8Array(), {
    key: service.keys.public,
    contentType: 'application/x-www-form-urlencoded',
  });
  assert.is(form.status, 201);
});

unknown('given a token, when a member is nearly one that is known, then 400 names both', async (context) => {
  const { service } = context;
  const token = { type: 'token', data: 'x' };
  const { body: made } = await service.call<{ id: string }>('POST', '/tokens', token);
  for (const [wrong, meant] of [
    ['container', 'containers'],
    ['expiresAt', 'expires_at'],
    ['expire_at', 'expires_at'],
    ['searchIndexes', 'search_indexes'],
    ['deduplicateToken', 'deduplicate_token'],
    ['masks', 'mask'],
    ['meta_data', 'metadata'],
    ['Privacy', 'privacy'],
  ] as const) {
    const fault = [`is not a property that is known here: it must be ${meant}`];
    const given = { [wrong]: 'x' };
    const created = await service.call<Problem>('POST', '/tokens', { ...token, ...given });
    assert.equal([created.status, created.body.errors], [400, { [wrong]: fault }]);
    const patched = await service.call<Problem>('PATCH', `/tokens/${made.id}`, given);
    assert.equal([patched.status, patched.body.errors], [400, { [wrong]: fault }]);
    const tokenized = await service.call<Problem>('POST', '/tokenize', { of: { ...token, ...given } });
    assert.equal([tokenized.status, tokenized.body.errors], [400, { [`of.${wrong}`]: fault }]);
  }
  const read = await service.call<object>('GET', `/tokens/${made.id}`);
  const later = { ...read.body, id: undefined, _extras: {}, aliases: [], fingerprint: 'x', no_such: 1 };
  assert.is((await service.call('POST', '/tokens', { ...later, data: 'y' })).status, 201);
});

unknown('given a search whose query is misspelt, then 400, and nothing is listed', async ({ service }) => {
  for (const path of ['/tokens/search', '/v2/tokens/search']) {
    const reply = await service.call<Problem>('POST', path, { querry: 'type:card' });
    assert.equal([reply.status, reply.body.errors], [400, { querry: notAMember }]);
  }
});

unknown(
  'given what cannot be changed or is of later versions, then 400 where dropping it would matter',
  async ({ service }) => {
    const key = { key: service.keys.management };
    const faultsOf = async (method: string, path: string, body: object): Promise<string[]> => {
      const reply = await service.call<Problem>(method, path, body, key);
      assert.is(reply.status, 400, `${method} ${path} ${JSON.stringify(reply.body)}`);
      return Object.keys(reply.body.errors ?? {});
    };
    type Made = { id: string; expires_at: string };
    const application = { name: 'one', type: 'private', permissions: ['token:create'] };
    const expires = '2090-01-01T00:00:00+00:00';
    const made = await service.call<Made>(
      'POST',
      '/applications',
      { ...application, expires_at: expires },
      key,
    );
    const path = `/applications/${made.body.id}`;
    assert.equal(await faultsOf('PUT', path, { name: 'two', expires_at: '2089-01-01T00:00:00Z' }), [
      'expires_at',
    ]);
    assert.equal(await faultsOf('PUT', path, { name: 'two', type: 'public' }), ['type']);
    for (const same of [made.body.expires_at, '2090-01-01T00:00:00Z', '', null]) {
      const kept = await service.call('PUT', path, { ...application, name: 'two', expires_at: same }, key);
      assert.is(kept.status, 200, JSON.stringify(kept.body));
    }
    const webhook = { name: 'w', url: 'https://example.com/w', events: ['token.created'] };
    assert.equal(await faultsOf('POST', '/webhooks', { ...webhook, status: 'disabled' }), ['status']);
    const connection = {
      connection_formula_id: 'sandbox-card',
      method: 'card',
      display_name: 'c',
      fields: [{ key: 'merchant_id', value: 'any', secret: true }],
      accepted_countries: ['US'],
      accepted_currencies: ['USD'],
    };
    assert.equal(await faultsOf('POST', '/orchestration/connections', connection), ['fields[0].secret']);
    const secure = {
      ...connection,
      fields: [{ key: 'merchant_id', value: 'any' }],
      three_d_secure_enabled: false,
    };
    assert.equal(await faultsOf('POST', '/orchestration/connections', secure), ['three_d_secure_enabled']);
  },
);

unknown.run();
