import type { Caller } from '#ports/accessDirectory.ts';
import type { Origin } from '#ports/dispatch.ts';
import type { OutboundHeaders } from '#ports/outbound.ts';
import type { IncomingRequest } from '#http/route.ts';

/** A request that wants to go through a proxy. */
export type ProxyRequest = {
  /** Undefined: it came without a key. */
  caller: Caller | undefined;
  origin: Origin;
  incoming: IncomingRequest;
};

/** What of a request is sent on, under way from the client to the destination. */
export type Outgoing = {
  /** Percent-encoded, without the question mark. */
  query: string;
  headers: OutboundHeaders;
  /** Whole, where somebody has to look into it. */
  body: Uint8Array | AsyncIterable<Uint8Array> | undefined;
};

export const headerOf = (headers: OutboundHeaders, name: string): string | undefined =>
  headersOf(headers, name)[0];

/** All values of a header, line by line. */
export const headersOf = (headers: OutboundHeaders, name: string): string[] =>
  headers.flatMap(([given, value]) => (given.toLowerCase() === name ? [value] : []));

/** The parts of a header that is a list, over all lines of it, in lower case. */
export const listIn = (headers: OutboundHeaders, name: string): string[] =>
  headers.flatMap(([given, value]) =>
    given.toLowerCase() === name ? value.split(',').map((part) => part.trim().toLowerCase()) : [],
  );

export const withoutHeaders = (headers: OutboundHeaders, ...names: readonly string[]): OutboundHeaders =>
  headers.filter(([name]) => !names.includes(name.toLowerCase()));
