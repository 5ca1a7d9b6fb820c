import type { Thrown } from '#ports/sandbox.ts';
import { isReservedInAnswers } from '#src/answerHeaders.ts';
import { jsonHeaders, mediaTypeOf } from '#src/reactors/content.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';

/** RFC 9110 §5.6.2 and §5.5. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** They frame the message, which is ours to do, or are told by the service itself. */
const ours = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'bt-trace-id',
]);

/**
 * The response that code made by hand: status, headers and body as it said, but for headers that are reserved to the
 * service; undefined when they are none.
 * Source: reference of custom HTTP responses.
 */
export function customAnswer({ status, headers, body }: Thrown): ReactorAnswer | undefined {
  // 1xx would not end the exchange.
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599) {
    return undefined;
  }
  const all = headersIn(headers ?? {}, mostHeaders);
  if (all === undefined) return undefined;
  const given = Object.fromEntries(Object.entries(all).filter(([name]) => !isReservedInAnswers(name)));
  return {
    isComposed: true,
    status,
    headers: mediaTypeOf(given) === undefined ? { ...jsonHeaders, ...given } : given,
    body: body === undefined ? {} : body,
  };
}

/** Of all headers together, in characters: what clients and proxies commonly take. */
const mostHeaders = 8_192;

/**
 * Headers that code has made, without those that are ours; undefined when they are none, or are too long. Of names that
 * differ in their spelling only, the last one counts. What is null is left out, as code means it that copies what may
 * not be there.
 */
export function headersIn(headers: unknown, most: number): Record<string, string | string[]> | undefined {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return undefined;
  const result = new Map<string, readonly [name: string, value: string | string[]]>();
  for (const [name, value] of Object.entries(headers)) {
    const texts = textsOf(value);
    if (!headerName.test(name) || !texts?.every((text) => headerValue.test(text))) return undefined;
    const [only, ...others] = texts;
    const key = name.toLowerCase();
    result.delete(key);
    if (only !== undefined && !ours.has(key)) result.set(key, [name, others.length === 0 ? only : texts]);
  }
  const pairs = [...result.values()];
  const length = pairs.flat(2).join('').length;
  return length > most ? undefined : Object.fromEntries(pairs);
}

/** Undefined for objects: nobody means `[object Object]`. */
function textsOf(value: unknown): string[] | undefined {
  const values: unknown[] = [value].flat().filter((one) => one !== null && one !== undefined);
  return values.some((one) => typeof one === 'object') ? undefined : values.map(String);
}

/** What code is told of headers that are none. */
export const validHeaders = 'a header is a text, a number or a boolean, or a list of them';
