import type { IncomingRequest } from '#http/route.ts';
import { withoutKey } from '#src/proxies/destination.ts';
import { requestHeaders } from '#src/proxies/headers.ts';
import { proxyingLimits } from '#src/proxies/limits.ts';
import { bodyKindOf } from '#src/proxies/mediaType.ts';
import { headerOf, withoutHeaders } from '#src/proxies/message.ts';
import type { Outgoing } from '#src/proxies/message.ts';
import { decodedBody, wholeBody } from '#src/proxies/wholeBody.ts';

/** Who looks into bodies: expressions are looked for in what is text, a transform is given anything. */
export type Readers = { searches: boolean; transforms: boolean; isAnswerRead: boolean };

/**
 * What of a request may be sent on. Its body is read whole only where somebody looks into it.
 * @throws PayloadTooLarge @throws UnsupportedMediaType @throws ValidationFailed
 */
export async function outgoingOf(incoming: IncomingRequest, readers: Readers): Promise<Outgoing> {
  const query = withoutKey(incoming.query);
  const { searches, transforms, isAnswerRead } = readers;
  const given = requestHeaders(incoming.headers);
  // What is read here is wanted as it is.
  const headers = isAnswerRead ? withoutHeaders(given, 'accept-encoding') : given;
  const { body } = incoming;
  const isRead = transforms || (searches && bodyKindOf(headers) !== 'opaque');
  if (body === undefined || !isRead) return { query, headers, body };
  const most = transforms ? proxyingLimits.transformedBytes : proxyingLimits.searchedBytes;
  const bytes = await wholeBody(body, most);
  return {
    query,
    headers: withoutHeaders(headers, 'content-encoding'),
    body: await decodedBody(bytes, headerOf(headers, 'content-encoding'), most),
  };
}
