import * as assert from 'uvu/assert';
import { startDestination } from '#test/proxies/support/destination.ts';
import type { Destination } from '#test/proxies/support/destination.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService, VaultServiceOptions } from '#test/support/vaultService.ts';

export type Proxy = Record<string, unknown> & {
  id: string;
  key: string;
  name: string;
  configuration: Record<string, string>;
};
export type List = { pagination: Record<string, number>; data: Proxy[] };
export type Problem = { title: string; status: number; detail: string; errors: Record<string, string[]> };
export type ProxyError = { proxy_error: Problem };

export type Context = { service: VaultService; destination: Destination };

/** A service whose proxies may lead to this machine, and a destination there. */
export async function startProxying(options: VaultServiceOptions = {}): Promise<Context> {
  const environment = { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1', ...options.environment };
  const service = await startVaultService({ ...options, environment });
  return { service, destination: await startDestination() };
}

export async function stopProxying({ service, destination }: Context): Promise<void> {
  await service.close();
  await destination.close();
}

/** A request of a management application. */
export const manage = <Body = Record<string, never>>(
  service: VaultService,
  method: string,
  path: string,
  body?: unknown,
  key: string = service.keys.management,
): Promise<Reply<Body>> => service.call<Body>(method, `/proxies${path}`, body, { key });

/** Creates a proxy and expects that this succeeds. */
export async function create({ service, destination }: Context, attributes: object = {}): Promise<Proxy> {
  const body = { name: 'one', destination_url: destination.url, ...attributes };
  const reply = await manage<Proxy>(service, 'POST', '', body);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

export const get = async (service: VaultService, id: string): Promise<Proxy> =>
  (await manage<Proxy>(service, 'GET', `/${id}`)).body;

export async function createToken({ service }: Context, token: object): Promise<string> {
  const reply = await service.call<{ id: string }>('POST', '/tokens', token);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.id;
}

export const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2035 };

export const createCard = (context: Context): Promise<string> =>
  createToken(context, { type: 'card', data: card });

export type Sent = { status: number; headers: Headers; text: string };

/** A request through a proxy, as it is: only what is said is sent. */
export async function send(
  { service }: Context,
  path: string,
  { key, headers = {}, ...init }: RequestInit & { key?: string; headers?: Record<string, string> } = {},
): Promise<Sent> {
  const authentication = key === undefined ? {} : { 'BT-API-KEY': key };
  const response = await fetch(`${service.url}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { ...authentication, ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export const json = { 'Content-Type': 'application/json' };

/** A POST of JSON by a private application to the destination itself. */
export const post = (
  context: Context,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/proxy',
): Promise<Sent> =>
  send(context, path, {
    method: 'POST',
    key: context.service.keys.private,
    headers: { 'BT-PROXY-URL': context.destination.url, ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

export const errorOf = ({ text }: Pick<Sent, 'text'>): Problem =>
  (JSON.parse(text) as ProxyError).proxy_error;
