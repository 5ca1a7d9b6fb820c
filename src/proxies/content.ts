import { isDeeperThan } from '#expressions/json.ts';
import { depthLimit, parseMarked } from '#http/request/parseJson.ts';
import { noFaults } from '#http/validation/faults.ts';
import { numberFaults } from '#http/validation/text.ts';
import type { Json } from '#ports/json.ts';
import type { OutboundHeaders } from '#ports/outbound.ts';
import type { Faults } from '#src/errors.ts';
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

/** A body, and what transforms see of it. */
export type ReadBody = {
  bytes: Uint8Array | undefined;
  /** JSON where it is, and not nested too deeply, else text; null: there is none. */
  content: Json;
  /** By path, the numbers for which `content` is text rather than a value that would not be the same. */
  inexact: Faults;
};

/** Undefined for a body that is neither JSON nor text. */
export function readBody(bytes: Uint8Array | undefined, headers: OutboundHeaders): ReadBody | undefined {
  const inexact = noFaults();
  if (bytes === undefined || bytes.length === 0) return { bytes: undefined, content: null, inexact };
  const text = utf8Of(bytes);
  if (text === undefined) return undefined;
  const value = bodyKindOf(headers) === 'json' ? shallowJson(text) : undefined;
  numberFaults(value, 'body', inexact);
  const isValue = value !== undefined && Object.keys(inexact).length === 0;
  return { bytes, content: isValue ? value : text, inexact };
}

/** Undefined for what is none, or nests deeper than code is given, and than can be written again. */
function shallowJson(text: string): Json | undefined {
  try {
    const value = parseMarked(text) as Json;
    return isDeeperThan(value, depthLimit) ? undefined : value;
  } catch {
    return undefined;
  }
}

/**
 * What a transform has made of a body, with the headers that go with it.
 * @param read the body that it was given
 */
export function bodyFrom(
  content: Json | undefined,
  given: OutboundHeaders,
  read: ReadBody,
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
  if (typeof content === 'string') return { headers, body: bytesOfText(content, headers, read) };
  if (bodyKindOf(headers) === 'form') return { headers, body: Buffer.from(formOf(content)) };
  const named = headerOf(headers, 'content-type');
  return {
    headers: named === undefined ? [...headers, ['content-type', 'application/json']] : headers,
    body: Buffer.from(JSON.stringify(content)),
  };
}

/** Of JSON that is one string, code is given the string, and what it hands back is to be that JSON again. */
function bytesOfText(text: string, headers: OutboundHeaders, { content, bytes }: ReadBody): Uint8Array {
  const isUnchanged = text === content && bodyKindOf(headers) === 'json';
  return isUnchanged && bytes !== undefined ? bytes : Buffer.from(text);
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
