import type { IncomingRequest } from '#http/route.ts';
import type { Json } from '#ports/json.ts';
import { UnsupportedMediaType } from '#src/errors.ts';
import { bodyFrom, contentOf } from '#src/proxies/content.ts';
import { suffixOf } from '#src/proxies/destination.ts';
import { grouped } from '#src/proxies/headers.ts';
import type { Outgoing } from '#src/proxies/message.ts';
import type { Transformed } from '#src/proxies/transform.ts';

/** What the transform of a request is given. @throws UnsupportedMediaType for a body that is not text */
export function requestArgs({ method, path }: IncomingRequest, { headers, body, query }: Outgoing): Json {
  const content = contentOf(body instanceof Uint8Array ? body : undefined, headers);
  if (content === undefined) {
    throw new UnsupportedMediaType('The proxy has a request transform, which takes bodies in UTF-8 only.');
  }
  return {
    body: content,
    headers: grouped(headers),
    method,
    path: suffixOf(path),
    query: query === '' ? '' : `?${query}`,
  };
}

/** The request as its transform wants it. */
export function changeRequest(outgoing: Outgoing, { headers, body }: Transformed): Outgoing {
  return { ...outgoing, ...bodyFrom(body, headers ?? outgoing.headers) };
}
