import * as assert from 'uvu/assert';
import { connection, proxied } from '#test/access/support/estate.ts';
import type { Owned } from '#test/access/support/estate.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Operation = {
  'x-permission'?: string;
  parameters: { name?: string }[];
  requestBody?: object;
  security?: object[];
};
type Document = { paths: Record<string, Record<string, Operation>> };

/** A route as it is published. */
export type PublishedRoute = {
  /** Such as `PUT /tokens/{id}`. */
  name: string;
  method: string;
  path: string;
  operation: Operation;
};

/** Routes whose answers belong to nobody. */
export const everybodys = [
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

/** Every published route that has to do with a tenant; the one that ends the caller's tenant comes last. */
export async function everyRoute({ call }: Pick<VaultService, 'call'>): Promise<PublishedRoute[]> {
  const { paths } = (await call<Document>('GET', '/openapi.json')).body;
  const routes = Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([key, operation]) => {
        const method = key.toUpperCase();
        return { name: `${method} ${path}`, method, path, operation };
      }),
    )
    .filter(({ path }) => !everybodys.some((open) => path.startsWith(open)));
  return routes.sort((a, b) => Number(endsTheTenant(a)) - Number(endsTheTenant(b)));
}

const endsTheTenant = ({ name }: PublishedRoute): boolean => name === 'DELETE /tenants/self';

/** The path and the body of a request about what is owned; it would be right if all of it were the caller's. */
export function requestFor(route: PublishedRoute, owned: Owned): { target: string; body: unknown } {
  const { name, path, operation } = route;
  const ids = idsInPaths.find(([start]) => path.startsWith(start))?.[1](owned) ?? {};
  const target = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    assert.ok(ids[parameter] !== undefined, `${name}: there is no id for ${parameter}`);
    return ids[parameter];
  });
  const body = bodies[name]?.(owned);
  assert.is(body === undefined, operation.requestBody === undefined, `${name}: there is no body for it`);
  return { target, body };
}

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
