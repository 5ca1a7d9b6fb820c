import { create, json, send } from '#test/proxies/support/proxies.ts';
import type { Context, Sent } from '#test/proxies/support/proxies.ts';

type Code = { request?: string; response?: string };

/** A POST through a new proxy with these transforms. */
export async function through(
  context: Context,
  { request, response, ...attributes }: Code & Record<string, unknown>,
  body: unknown = { a: 1 },
  headers: Record<string, string> = json,
  path = '/proxy',
): Promise<Sent> {
  const proxy = await create(context, {
    ...(request === undefined ? {} : { request_transform: { code: request } }),
    ...(response === undefined ? {} : { response_transform: { code: response } }),
    ...attributes,
  });
  return send(context, path, {
    method: 'POST',
    key: context.service.keys.private,
    headers: { 'BT-PROXY-KEY': proxy.key, ...headers },
    body:
      typeof body === 'string'
        ? body
        : body instanceof Uint8Array
          ? new Uint8Array(body)
          : JSON.stringify(body),
  });
}
