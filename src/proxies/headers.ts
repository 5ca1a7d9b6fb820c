import { isReservedInAnswers } from '#src/answerHeaders.ts';
import { listIn } from '#src/proxies/message.ts';
import { connectionHeaders } from '#src/connectionHeaders.ts';
import type { OutboundHeaders } from '#ports/outbound.ts';

/** What the destination answered with, for the client. Source: reference of proxies. */
export const destinationStatus = 'bt-proxy-destination-status';

/** RFC 8586: who sees its own name there too often, is asked by itself. */
const loopHeader = 'cdn-loop';
const ownName = 'holdfast';

/** For this service: to a destination they would look like those of the caller. */
export const isOurs = (name: string): boolean => name.toLowerCase().startsWith('bt-');

const isOfConnection = (name: string): boolean => connectionHeaders.has(name) || name.startsWith('proxy-');

/** Source: reference of proxies; the others are discarded. */
const requestName = /^[A-Za-z0-9_-]+$/;
/** RFC 9110 §5.5. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * What of a request's headers a destination may see: nothing of the connection, and nothing that is for this service,
 * keys above all.
 */
export function requestHeaders(headers: OutboundHeaders): OutboundHeaders {
  const nominated = listIn(headers, 'connection');
  return headers.filter(([given]) => {
    const name = given.toLowerCase();
    if (!requestName.test(name) || isOfConnection(name) || nominated.includes(name)) return false;
    return !isOurs(name) && name !== 'content-length' && name !== loopHeader;
  });
}

/**
 * A browser that opens an answer as a page gives it no part in the pages of this service, whoever wrote it.
 */
export const sandboxed = ['content-security-policy', 'sandbox'] as const;

/** What a client, or a transform, is told of the headers of a destination, and a client of those of a transform. */
export function responseHeaders(headers: OutboundHeaders): OutboundHeaders {
  const nominated = listIn(headers, 'connection');
  return headers.filter(([given, value]) => {
    const name = given.toLowerCase();
    if (isOfConnection(name) || nominated.includes(name) || isReservedInAnswers(name)) return false;
    return fieldValue.test(value);
  });
}

/** How often a request has come through here, or through others like this. */
export const passagesOf = (headers: OutboundHeaders): number =>
  listIn(headers, loopHeader).filter((name) => name === ownName).length;

/** With one passage more, whatever was made of the headers meanwhile. */
export function withPassage(headers: OutboundHeaders, passages: number): OutboundHeaders {
  const others = headers.filter(([name]) => name.toLowerCase() !== loopHeader);
  return [...others, [loopHeader, Array.from({ length: passages + 1 }, () => ownName).join(', ')]];
}

/** As answers of routes carry them, and transforms see them: a name in its first spelling. */
export function grouped(headers: OutboundHeaders): Record<string, string | string[]> {
  const groups = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return Object.fromEntries(
    [...groups].map(([key, pairs]) => {
      const [[name] = [key]] = pairs;
      const values = pairs.map(([, value]) => value);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

/** The other way round. */
export const listed = (headers: Readonly<Record<string, string | string[]>>): OutboundHeaders =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const));
