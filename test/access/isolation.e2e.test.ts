import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { permissionsOf } from '#access/permissions.ts';
import { accept, invite } from '#test/members/support/people.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import { until } from '#test/support/until.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Operation = {
  'x-permission'?: string;
  parameters: { name?: string }[];
  requestBody?: object;
  security?: object[];
};
type Document = { paths: Record<string, Record<string, Operation>> };
type Named = { id: string };

/** What belongs to the tenant that is walked in on. */
type Owned = {
  token: string;
  application: string;
  key: string;
  nonce: string;
  invitation: string;
  member: string;
  reactor: string;
  proxy: string;
  /** An asynchronous invocation of the reactor. */
  invocation: string;
  connection: string;
  transaction: string;
  refund: string;
  threeDs: string;
  job: string;
  webhook: string;
  /** Of the webhook. */
  delivery: string;
};

/** The ids that stand in a path, by its beginning. */
const idsInPaths: readonly [string, (owned: Owned) => Record<string, string>][] = [
  ['/tokens/', ({ token }) => ({ id: token })],
  ['/tenants/self/invitations/', ({ invitation }) => ({ id: invitation })],
  ['/tenants/self/members/', ({ member }) => ({ id: member })],
  ['/reactors/', ({ reactor, invocation }) => ({ id: reactor, requestId: invocation })],
  ['/proxies/', ({ proxy }) => ({ id: proxy })],
  ['/orchestration/connections/', ({ connection }) => ({ id: connection })],
  ['/orchestration/transactions/', ({ transaction }) => ({ id: transaction })],
  ['/orchestration/refunds/', ({ refund }) => ({ id: refund })],
  // Of another tenant, a connection is none, whoever signs.
  ['/orchestration/notifications/', ({ connection: id }) => ({ tenant_id: id, connection_id: id })],
  ['/account-updater/jobs/', ({ job }) => ({ id: job })],
  ['/3ds/sessions/', ({ threeDs }) => ({ id: threeDs })],
  ['/webhooks/', ({ webhook, delivery }) => ({ id: webhook, deliveryId: delivery })],
  ['/applications/', ({ application, key }) => ({ id: application, keyId: key })],
];

const connection = {
  connection_formula_id: 'sandbox-card',
  method: 'card',
  display_name: 'mine',
  fields: [{ key: 'merchant_id', value: 'any' }],
  accepted_countries: ['US'],
  accepted_currencies: ['USD'],
  active: true,
};

const proxied = { name: 'mine', destination_url: 'https://example.com/', configuration: { secret: 'mine' } };

/** Requests that would be right if the ids were one's own: what is refused is refused for the tenant's sake. */
const bodies: Readonly<Record<string, (owned: Owned) => unknown>> = {
  'POST /tokens': () => ({ type: 'token', data: 'x' }),
  'PATCH /tokens/{id}': () => ({ metadata: { a: 'b' } }),
  'POST /tokens/search': ({ token }) => ({ query: `id:${token}` }),
  'POST /v2/tokens/search': ({ token }) => ({ query: `id:${token}` }),
  'POST /tokenize': () => ({ a: 'b' }),
  'POST /detokenize': ({ token }) => ({ a: `{{ ${token} }}` }),
  'POST /applications': () => ({ name: 'a', type: 'private', permissions: ['token:read'] }),
  'PUT /applications/{id}': () => ({ name: 'b', permissions: ['token:delete'] }),
  'POST /reactors': () => ({ name: 'a', code: 'b', configuration: {} }),
  'PUT /reactors/{id}': () => ({ name: 'b', code: 'b', configuration: {} }),
  'PATCH /reactors/{id}': () => ({ configuration: { secret: null } }),
  'POST /reactors/{id}/react': ({ token }) => ({ args: `{{ ${token} }}` }),
  'POST /reactors/{id}/react-async': ({ token }) => ({ args: `{{ ${token} }}` }),
  'POST /proxies': () => proxied,
  'PUT /proxies/{id}': () => proxied,
  'PATCH /proxies/{id}': () => ({ configuration: { secret: null } }),
  'POST /orchestration/connections': () => connection,
  'PUT /orchestration/connections/{id}': () => connection,
  'POST /orchestration/connections/{id}': () => connection,
  'POST /orchestration/transactions': ({ token, connection: connection_id }) => ({
    ...{ amount: 1, currency: 'USD', token, connection_id },
  }),
  'POST /orchestration/transactions/{id}/capture': () => ({}),
  'POST /orchestration/transactions/{id}/refunds': () => ({}),
  'POST /3ds/sessions': ({ token }) => ({ token_id: token }),
  'POST /account-updater/real-time': ({ token }) => ({ token_id: token }),
  'POST /3ds/sessions/{id}/authenticate': () => ({}),
  'POST /3ds/sessions/{id}/challenge-result': () => ({}),
  'POST /sessions/authorize': ({ nonce }) => ({ nonce, permissions: ['token:read'] }),
  'POST /tenants/self/invitations': () => ({ email: 'another@example.com' }),
  'PUT /tenants/self/members/{id}': () => ({ role: 'OWNER' }),
  'POST /webhooks': () => ({ name: 'a', url: 'https://example.com/', events: ['token.created'] }),
  'PUT /webhooks/{id}': () => ({ name: 'b', url: 'https://example.com/', events: ['token.created'] }),
  'POST /webhooks/{id}/rotate-secret': () => ({}),
  'POST /webhooks/{id}/replay': () => ({ from: '2020-01-01' }),
  'PUT /tenants/self': () => ({ name: 'another' }),
};

/** Routes whose answers belong to nobody. */
const everybodys = [
  '/orchestration/connection_formulas',
  '/orchestration/connection/formulas',
  '/application-templates',
  '/permissions',
  '/healthz',
  '/ping',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/keys',
];
/** Expected where the id of the other tenant is not in the path. */
const refusals: Readonly<Record<string, number>> = {
  'GET /tenants/self/owner': 404,
  'POST /detokenize': 400,
  'POST /orchestration/transactions': 404,
  'POST /sessions/authorize': 404,
  'POST /3ds/sessions': 404,
  'POST /account-updater/real-time': 404,
  // They name no proxy: what keys of others lead to, the tests of proxies tell.
  'GET /proxy': 400,
  'POST /proxy': 400,
  'PUT /proxy': 400,
  'PATCH /proxy': 400,
  'DELETE /proxy': 400,
};

let service: VaultService;
let stranger: VaultService['keys'];
let owned: Owned;
const isolation = suite('isolation of tenants');

isolation.before(async () => {
  service = await startVaultService({ environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' } });
  stranger = await service.anotherTenant();
  const { call, keys } = service;
  const management = { key: keys.management };
  const made = <Body = Named>(reply: Reply<Body>): Body => {
    assert.is(reply.status, 201, JSON.stringify(reply.body));
    return reply.body;
  };
  const application = made(
    await call<Named & { keys: Named[] }>(
      'POST',
      '/applications',
      { name: 'mine', type: 'private', permissions: ['token:read'] },
      management,
    ),
  );
  const session = made(await call<{ nonce: string }>('POST', '/sessions', undefined, { key: keys.public }));
  const token = made(await call<Named>('POST', '/tokens', { type: 'token', data: 'mine' }));
  const configured = {
    name: 'mine',
    code: 'module.exports = () => ({ raw: 1 })',
    configuration: { secret: 'mine' },
  };
  const reactor = { ...configured, application: { id: application.id } };
  const { id: reactorId } = made(await call<Named>('POST', '/reactors', reactor, management));
  const asked = await call<{ asyncReactorRequestId: string }>(
    'POST',
    `/reactors/${reactorId}/react-async`,
    {},
  );
  assert.is(asked.status, 202);
  const ended = async () =>
    (await call('GET', `/reactors/${reactorId}/results/${asked.body.asyncReactorRequestId}`)).status === 200;
  await until(ended);
  const cardData = { number: '4200000000000004', expiration_month: 12, expiration_year: 2030 };
  const card = made(await call<Named>('POST', '/tokens', { type: 'card', data: cardData }));
  const connectionId = made(await call<Named>('POST', '/orchestration/connections', connection)).id;
  const payment = { amount: 1050, currency: 'USD', intent: 'capture', connection_id: connectionId };
  const transaction = made(
    await call<Named>('POST', '/orchestration/transactions', { ...payment, token: card.id }),
  );
  const refunds = `/orchestration/transactions/${transaction.id}/refunds`;
  const hook = { name: 'mine', url: 'https://127.0.0.1:1/', events: ['token.created'] };
  const webhook = made(await call<Named>('POST', '/webhooks', hook, management)).id;
  assert.is((await call('POST', `/webhooks/${webhook}/ping`, undefined, management)).status, 202);
  const deliveries = () =>
    call<{ data: Named[] }>('GET', `/webhooks/${webhook}/deliveries`, undefined, management);
  const delivery = await until(async () => (await deliveries()).body.data[0]?.id);
  owned = {
    job: made(await call<Named>('POST', '/account-updater/jobs')).id,
    webhook,
    delivery,
    token: token.id,
    application: application.id,
    key: application.keys[0]?.id ?? '',
    nonce: session.nonce,
    invitation: (await invite(service, 'invited@example.com')).id,
    member: (await accept(service, (await invite(service, 'member@example.com')).id)).id,
    reactor: reactorId,
    proxy: made(await call<Named>('POST', '/proxies', proxied, management)).id,
    invocation: asked.body.asyncReactorRequestId,
    threeDs: made(await call<Named>('POST', '/3ds/sessions', { token_id: card.id })).id,
    connection: connectionId,
    transaction: transaction.id,
    refund: made(await call<Named>('POST', refunds, {})).id,
  };
});
isolation.after(() => service.close());

/** Everything the log says of the owner, and everything it can see of itself. */
async function stateOfOwner(): Promise<unknown> {
  const { composition, tenantId, call, keys } = service;
  const { rows } = await composition.pools.owner.query(
    `select count(*) from event_log.events where stream like '%-' || $1 || '.%'`,
    [tenantId],
  );
  const management = { key: keys.management };
  return [
    rows,
    (await call('GET', `/tokens/${owned.token}`)).body,
    (await call('GET', `/applications/${owned.application}`, undefined, management)).body,
    (await call('GET', `/reactors/${owned.reactor}`, undefined, management)).body,
    (await call('GET', `/proxies/${owned.proxy}`, undefined, management)).body,
    (await call('GET', '/orchestration/connections')).body,
    (await call('GET', '/orchestration/transactions')).body,
    (await call('GET', `/3ds/sessions/${owned.threeDs}`)).body,
    (await call('GET', '/webhooks', undefined, management)).body,
    (await call('GET', '/tenants/self', undefined, management)).body,
    (await call('GET', '/tenants/self/invitations', undefined, management)).body,
    (await call('GET', '/tenants/self/members', undefined, management)).body,
  ];
}

const endsTheStranger = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'DELETE' && path === '/tenants/self';

const keyFor = (permission: string | undefined): string =>
  permission === undefined || permissionsOf('private').includes(permission)
    ? stranger.private
    : stranger.management;

isolation(
  'given another tenant’s ids, when every route is walked, then none shows or changes anything',
  async () => {
    const { call, tenantId } = service;
    const document = (await call<Document>('GET', '/openapi.json')).body;
    const walk = Object.entries(document.paths)
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]) => ({
          path,
          method: method.toUpperCase(),
          operation,
        })),
      )
      .filter(({ path }) => !everybodys.some((open) => path.startsWith(open)))
      // The stranger goes last: without it nobody could walk.
      .sort((a, b) => Number(endsTheStranger(a)) - Number(endsTheStranger(b)));
    assert.ok(walk.length > 30, String(walk.length));
    const before = await stateOfOwner();
    for (const { path, method, operation } of walk) {
      const name = `${method} ${path}`;
      const ids = idsInPaths.find(([start]) => path.startsWith(start))?.[1](owned) ?? {};
      const target = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
        assert.ok(ids[parameter] !== undefined, `${name}: the walk has no id for ${parameter}`);
        return ids[parameter];
      });
      const body = bodies[name]?.(owned);
      assert.is(body === undefined, operation.requestBody === undefined, `${name}: the walk has no body`);
      const filters = operation.parameters.flatMap(({ name: filter }) =>
        filter === 'id' || filter === 'entity_id' ? [`${filter}=${owned.token}`] : [],
      );
      const query = method === 'GET' && target === path ? `?${filters.join('&')}` : '';
      const reply = await call(method, `${target}${query}`, body, { key: keyFor(operation['x-permission']) });
      const shown = JSON.stringify(reply.body);
      if (target !== path) assert.is(reply.status, 404, `${name}: ${reply.status} ${shown}`);
      else if (name in refusals) assert.is(reply.status, refusals[name], `${name}: ${reply.status} ${shown}`);
      else assert.ok(reply.status < 300 || reply.status === 403, `${name}: ${reply.status} ${shown}`);
      // The stranger's own log holds what the stranger asked for, and a refusal repeats it.
      const repeats = name in refusals || name === 'GET /logs';
      const spoken = repeats ? [tenantId] : [tenantId, ...Object.values(owned)];
      for (const id of spoken) assert.not.ok(shown.includes(id), `${name} shows ${id}: ${shown}`);
    }
    assert.equal(await stateOfOwner(), before);
  },
);

isolation('given the role of the service, then every table of a tenant has row-level security', async () => {
  const { rows } = await service.composition.pools.owner.query<{ name: string }>(
    `select c.oid::regclass::text as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where n.nspname in ('read_models', 'audit', 'work', 'vault') and c.relkind = 'r' and not c.relrowsecurity
       and (has_table_privilege('holdfast_api', c.oid, 'select')
         or has_table_privilege('holdfast_vault', c.oid, 'select'))
     order by 1`,
  );
  // Keys are looked up by their digest, which does not say whose they are; batches are of no use to anybody.
  assert.equal(
    rows.map(({ name }) => name),
    ['vault.credentials', 'work.unfinished_batches'],
  );
});

isolation.run();
