import { textOf } from '#expressions/json.ts';
import { parseJson } from '#http/request/parseJson.ts';
import { invalid } from '#http/validation/faults.ts';
import type { Json } from '#ports/json.ts';
import { utf8Of } from '#src/proxies/content.ts';
import { bodyKindOf } from '#src/proxies/mediaType.ts';
import type { Outgoing } from '#src/proxies/message.ts';
import { textsIn, valuesWith } from '#src/proxies/namedTexts.ts';
import { pairsOf, withValues, written } from '#src/proxies/urlEncoded.ts';

/** What of a body expressions are looked for in, as JSON, and the body with what was found. */
export type SearchedBody = { body: Json; write: (found: Json) => Outgoing['body'] };

/** Of a form that holds expressions; there are millions in five megabytes. */
const mostPairs = 10_000;

/** @throws ValidationFailed for JSON that is none */
export function searchedBody({ headers, body }: Outgoing): SearchedBody {
  const kind = bodyKindOf(headers);
  if (!(body instanceof Uint8Array) || kind === 'opaque') return { body: null, write: () => body };
  const text = utf8Of(body);
  if (kind === 'json' && jsonHoldsBraces(body)) {
    return { body: parseJson(body) as Json, write: (found) => Buffer.from(JSON.stringify(found)) };
  }
  if (kind === 'text' && text !== undefined && holdsBraces(body)) {
    return { body: text, write: (found) => Buffer.from(textOf(found)) };
  }
  if (kind === 'form' && text !== undefined && encodedBraces.test(text)) return searchedForm(text);
  return { body: null, write: () => body };
}

const holdsBraces = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('{{');

/** Two braces in a row, either of which JSON lets a writer escape. A backslash that is escaped itself begins nothing. */
const jsonBraces = /\{(?:\{|\\u007b)|(?<!\\)(?:\\\\)*\\u007b(?:\{|\\u007b)/i;

/** In Latin-1, for what is looked for has the same bytes in UTF-8, and bytes that are no UTF-8 are told of later. */
const jsonHoldsBraces = (bytes: Uint8Array): boolean =>
  jsonBraces.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));

const encodedBraces = /(?:\{|%7b){2}/i;

function searchedForm(text: string): SearchedBody {
  const pairs = pairsOf(text);
  if (pairs.length > mostPairs) {
    const most = mostPairs.toLocaleString('en-US');
    throw invalid('body', `must be a form of at most ${most} pairs where it holds expressions`);
  }
  return {
    body: textsIn(pairs),
    write: (found) =>
      Buffer.from(written(withValues(pairs, valuesWith(pairs, found as Record<string, Json>)))),
  };
}
