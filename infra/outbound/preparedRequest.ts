import { connectionHeaders } from '#src/connectionHeaders.ts';
import { OutboundRefused, OutboundTooLarge } from '#ports/outbound.ts';
import type { OutboundHeaders, OutboundRequest } from '#ports/outbound.ts';
import { parseUrl } from '#infra/outbound/target.ts';

/** A request that may be sent, wherever it goes. */
export type PreparedRequest = {
  url: URL;
  method: string;
  headers: OutboundHeaders;
  /** A second reading of what comes piece by piece finds nothing. */
  body: Uint8Array | AsyncIterable<Uint8Array> | undefined;
};

/** RFC 9110 §5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110 §5.5: what can be written in Latin-1, without control characters. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

const refusedMethods = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** What is sent unless the tenant says otherwise. Without `identity`, servers may answer what needs unpacking. */
const defaultHeaders: OutboundHeaders = [
  ['accept', '*/*'],
  ['accept-encoding', 'identity'],
  ['user-agent', 'holdfast'],
];

/** @throws OutboundRefused @throws OutboundTooLarge */
export function prepareRequest(request: OutboundRequest, requestBytes: number): PreparedRequest {
  const method = (request.method ?? 'GET').toUpperCase();
  if (!token.test(method) || refusedMethods.has(method)) throw new OutboundRefused('method');
  const headers = headersToSend(request.headers ?? []);
  const body = bodyToSend(request, requestBytes);
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) throw new OutboundRefused('body');
  const prepared = { url: parseUrl(request.url), method, headers, body };
  const { bodyLength } = request;
  const bodyBytes = body instanceof Uint8Array ? body.length : (bodyLength ?? 0);
  if (Math.max(headBytes(prepared), bodyBytes) > requestBytes) throw new OutboundTooLarge('request');
  if (body === undefined || body instanceof Uint8Array || bodyLength === undefined) return prepared;
  return { ...prepared, headers: [...headers, ['content-length', String(bodyLength)]] };
}

function bodyToSend({ body }: OutboundRequest, requestBytes: number): PreparedRequest['body'] {
  if (body instanceof Uint8Array) return body.length === 0 ? undefined : body;
  return body === undefined ? undefined : bounded(body, requestBytes);
}

async function* bounded(body: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) throw new OutboundTooLarge('request');
    yield chunk;
  }
}

function headersToSend(given: OutboundHeaders): OutboundHeaders {
  for (const [name, value] of given) {
    if (!token.test(name) || !fieldValue.test(value)) throw new OutboundRefused('header');
  }
  const kept = given.filter(([name]) => !belongsToConnection(name.toLowerCase()));
  const names = new Set(kept.map(([name]) => name.toLowerCase()));
  return [...defaultHeaders.filter(([name]) => !names.has(name)), ...kept];
}

function belongsToConnection(name: string): boolean {
  // The framing is ours, and with it the length.
  return connectionHeaders.has(name) || name === 'content-length' || name.startsWith('proxy-');
}

/** What comes before the body, on the wire, up to the few bytes of the request line. */
function headBytes({ url, headers }: PreparedRequest): number {
  const separators = ': \r\n'.length;
  return headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length + separators,
    url.href.length,
  );
}
