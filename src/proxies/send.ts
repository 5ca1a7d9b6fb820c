import type { IncomingRequest } from '#http/route.ts';
import type { Outbound, OutboundStream } from '#ports/outbound.ts';
import { passagesOf, withPassage } from '#src/proxies/headers.ts';
import { proxyingLimits } from '#src/proxies/limits.ts';
import { headerOf } from '#src/proxies/message.ts';
import type { Outgoing } from '#src/proxies/message.ts';
import type { Patience } from '#src/proxies/patience.ts';

export type Sending = {
  tenantId: string;
  onBehalfOf: readonly string[];
  url: string;
  outgoing: Outgoing;
  incoming: IncomingRequest;
  patience: Patience;
};

/** Sends a request to its destination; nobody follows redirects. @throws OutboundFailed */
export function sendOn(
  outbound: Outbound,
  { tenantId, onBehalfOf, url, outgoing: { headers, body }, incoming, patience }: Sending,
): Promise<OutboundStream> {
  const isWhole = body === undefined || body instanceof Uint8Array;
  if (isWhole) patience.begin();
  const { searchedBytes, streamedBytes, total } = proxyingLimits;
  return outbound.stream({
    tenantId,
    onBehalfOf,
    url,
    method: incoming.method,
    headers: withPassage(headers, passagesOf(incoming.headers)),
    ...(body === undefined ? {} : { body: isWhole ? body : thenWait(body, patience) }),
    bodyLength: isWhole ? undefined : lengthOf(incoming),
    limits: {
      totalMilliseconds: total,
      requestBytes: isWhole ? searchedBytes : streamedBytes,
      responseBytes: streamedBytes,
    },
    signal: patience.signal,
  });
}

async function* thenWait(body: AsyncIterable<Uint8Array>, patience: Patience): AsyncGenerator<Uint8Array> {
  yield* body;
  patience.begin();
}

function lengthOf({ headers }: IncomingRequest): number | undefined {
  const length = headerOf(headers, 'content-length');
  return length === undefined ? undefined : Number(length);
}
