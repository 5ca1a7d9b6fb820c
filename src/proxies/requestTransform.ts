import { refuseIfAny } from '#http/validation/faults.ts';
import type { Json } from '#ports/json.ts';
import { UnsupportedMediaType } from '#src/errors.ts';
import { bodyFrom, readBody } from '#src/proxies/content.ts';
import type { ReadBody } from '#src/proxies/content.ts';
import { suffixOf } from '#src/proxies/destination.ts';
import { grouped, isOurs } from '#src/proxies/headers.ts';
import type { Outgoing, ProxyRequest } from '#src/proxies/message.ts';
import type { Transformed } from '#src/proxies/transform.ts';

/**
 * The body that the transform of a request is given.
 * @throws UnsupportedMediaType for a body that is not text @throws ValidationFailed for numbers that code cannot be given
 */
export function readRequest({ headers, body }: Outgoing): ReadBody {
  const read = readBody(body instanceof Uint8Array ? body : undefined, headers);
  if (read === undefined) {
    throw new UnsupportedMediaType('The proxy has a request transform, which takes bodies in UTF-8 only.');
  }
  refuseIfAny(read.inexact);
  return read;
}

/** What the transform of a request is given. */
export function requestArgs(
  { incoming: { method, path }, origin: { traceId } }: ProxyRequest,
  { headers, query }: Outgoing,
  { content }: ReadBody,
): Json {
  return {
    body: content,
    // Code signs it, or hands it on in what it calls; to the destination it does not go.
    headers: { ...grouped(headers), 'BT-TRACE-ID': traceId },
    method,
    path: suffixOf(path),
    query: query === '' ? '' : `?${query}`,
  };
}

/** The request as its transform wants it. */
export function changeRequest(outgoing: Outgoing, { headers, body }: Transformed, read: ReadBody): Outgoing {
  const given = (headers ?? outgoing.headers).filter(([name]) => !isOurs(name));
  return { ...outgoing, ...bodyFrom(body, given, read) };
}
