import { isDeeperThan } from '#expressions/json.ts';
import { depthLimit } from '#http/request/parseJson.ts';
import type { Json } from '#ports/json.ts';
import type { OutboundHeaders } from '#ports/outbound.ts';
import { bodyKindOf } from '#src/proxies/mediaType.ts';
import { headerOf, withoutHeaders } from '#src/proxies/message.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined for bytes that are none. */
export function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A body as transforms see it: JSON where it is, and not nested too deeply, else text; null: there is none. Undefined: it is neither. */
export function contentOf(bytes: Uint8Array | undefined, headers: OutboundHeaders): Json | undefined {
  if (bytes === undefined || bytes.length === 0) return null;
  const text = utf8Of(bytes);
  if (text === undefined || bodyKindOf(headers) !== 'json') return text;
  try {
    const value = JSON.parse(text) as Json;
    // Deeper than code is given, and than can be written again.
    return isDeeperThan(value, depthLimit) ? text : value;
  } catch {
    return text;
  }
}

/** What a transform has made of a body, with the headers that go with it. */
export function bodyFrom(
  content: Json | undefined,
  given: OutboundHeaders,
): { headers: OutboundHeaders; body: Uint8Array | undefined } {
  const headers = withoutHeaders(
    given,
    'content-encoding',
    'content-length',
    'content-md5',
    'digest',
    'etag',
  );
  if (content === undefined || content === null) {
    return { headers: withoutHeaders(headers, 'content-type'), body: undefined };
  }
  if (typeof content === 'string') return { headers, body: Buffer.from(content) };
  if (bodyKindOf(headers) === 'form') return { headers, body: Buffer.from(formOf(content)) };
  const named = headerOf(headers, 'content-type');
  return {
    headers: named === undefined ? [...headers, ['content-type', 'application/json']] : headers,
    body: Buffer.from(JSON.stringify(content)),
  };
}

function formOf(content: Json): string {
  const form = new URLSearchParams();
  for (const [name, member] of Object.entries(content ?? {})) {
    for (const value of [member as Json].flat()) {
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    }
  }
  return form.toString();
}
