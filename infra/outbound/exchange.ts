import type { Dispatcher } from 'undici';
import { ConnectFailed } from '#infra/outbound/connector.ts';
import type { Identity } from '#infra/outbound/identity.ts';
import type { Pools } from '#infra/outbound/pools.ts';
import type { PreparedRequest } from '#infra/outbound/preparedRequest.ts';
import type { Target } from '#infra/outbound/target.ts';
import type { OutboundHeaders, OutboundStream } from '#ports/outbound.ts';

export type Exchange = {
  tenantId: string;
  target: Target;
  /** Checked, at least one. */
  addresses: readonly string[];
  request: PreparedRequest;
  identity: Identity | undefined;
  signal: AbortSignal;
};

export type Response = Omit<OutboundStream, 'url' | 'body'> & { body: Dispatcher.ResponseData['body'] };

/** Names with many addresses are not tried for ever. */
const mostAttempts = 3;

/** Sends a request to the first of the addresses that takes a connection. Never sends twice. */
export async function exchange(pools: Pools, call: Exchange): Promise<Response> {
  const { tenantId, target, addresses, request, identity, signal } = call;
  let failure: unknown;
  for (const address of addresses.slice(0, mostAttempts)) {
    try {
      const response = await pools.of(tenantId, target, address, identity).request({
        path: `${target.url.pathname}${target.url.search}`,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers.flat(),
        body: bodyOf(request),
        responseHeaders: 'raw',
        signal,
      });
      const rawHeaders = listed(response.headers);
      const headers = rawHeaders.map(([name, value]) => [name.toLowerCase(), value] as const);
      return { status: response.statusCode, headers, rawHeaders, body: response.body };
    } catch (error) {
      failure = error;
      if (!(error instanceof ConnectFailed) || signal.aborted) break;
    }
  }
  throw failure;
}

/** Undici takes what comes piece by piece; its types know streams only. */
const bodyOf = ({ body }: PreparedRequest): Dispatcher.DispatchOptions['body'] =>
  (body ?? null) as Dispatcher.DispatchOptions['body'];

/** With `raw`, undici answers names and values in turn; its types do not say so. */
function listed(headers: unknown): OutboundHeaders {
  const flat = headers as string[];
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []));
}
