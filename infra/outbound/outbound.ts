import { checkedAddresses } from '#infra/outbound/checkedAddresses.ts';
import { startDeadline } from '#infra/outbound/deadline.ts';
import type { Deadline } from '#infra/outbound/deadline.ts';
import { readExceptions } from '#infra/outbound/exceptions.ts';
import { exchange } from '#infra/outbound/exchange.ts';
import type { Response } from '#infra/outbound/exchange.ts';
import { failureOf } from '#infra/outbound/failure.ts';
import { identityOf } from '#infra/outbound/identity.ts';
import type { Identity } from '#infra/outbound/identity.ts';
import { createPools } from '#infra/outbound/pools.ts';
import { prepareRequest } from '#infra/outbound/preparedRequest.ts';
import type { PreparedRequest } from '#infra/outbound/preparedRequest.ts';
import { isRedirect, redirected } from '#infra/outbound/redirect.ts';
import { createSystemResolver } from '#infra/outbound/resolver.ts';
import type { Resolver } from '#infra/outbound/resolver.ts';
import { targetOf } from '#infra/outbound/target.ts';
import { OutboundRefused, OutboundTooLarge, OutboundUnreachable } from '#ports/outbound.ts';
import type { Outbound, OutboundLimits, OutboundRequest, OutboundStream } from '#ports/outbound.ts';
import { isAllowedDestination } from '#src/destinations.ts';
import type { OutboundException } from '#src/settingValues.ts';

export type OutboundSettings = {
  exceptions: readonly OutboundException[];
  /** Of every call that does not say otherwise. By default 30 seconds, 5 MiB out and 5 MiB in. */
  limits?: Partial<OutboundLimits>;
  /** By default 5 seconds. */
  connectMilliseconds?: number;
  /** By default 16 KiB. */
  responseHeaderBytes?: number;
  resolver?: Resolver;
  /** For tests: see the connector. */
  certificateAuthorities?: readonly string[];
  /** For tests: see the connector. */
  reach?: (address: string) => string;
};

const defaultLimits: OutboundLimits = {
  totalMilliseconds: 30_000,
  requestBytes: 5 * 1024 * 1024,
  responseBytes: 5 * 1024 * 1024,
};
const mostRedirects = 5;
const mostPools = 256;

/**
 * The guarded way out (decision 30). Environment variables for proxies are not read.
 * @throws StartupError for an exception that is none
 */
export function createOutbound(settings: OutboundSettings): Outbound {
  const exceptions = readExceptions(settings.exceptions);
  const resolver = settings.resolver ?? createSystemResolver();
  const pools = createPools({
    responseHeaderBytes: settings.responseHeaderBytes ?? 16 * 1024,
    most: mostPools,
    connectMilliseconds: settings.connectMilliseconds ?? 5_000,
    certificateAuthorities: settings.certificateAuthorities ?? [],
    reach: settings.reach ?? ((address) => address),
  });
  let closed = false;

  const answerOf = async (
    tenantId: string,
    { request, identity }: { request: PreparedRequest; identity: Identity | undefined },
    signal: AbortSignal,
  ): Promise<Response> => {
    const target = targetOf(request.url);
    const addresses = await checkedAddresses(target, { exceptions, resolver, signal });
    if (closed) throw new OutboundUnreachable('closed');
    return exchange(pools, { tenantId, target, addresses, request, identity, signal });
  };

  const follow = async (
    { tenantId, followRedirects = false, tls, destinations = [] }: OutboundRequest,
    first: PreparedRequest,
    signal: AbortSignal,
  ): Promise<Response & { url: string }> => {
    let request = first;
    const own = tls && identityOf(tls, settings.certificateAuthorities ?? []);
    for (let hops = 0; ; hops++) {
      if (!isAllowedDestination(destinations, request.url)) throw new OutboundRefused('destination');
      const identity = request.url.origin === first.url.origin ? own : undefined;
      const response = await answerOf(tenantId, { request, identity }, signal);
      // An error that comes when nobody reads the body must not end the process.
      response.body.on('error', () => undefined);
      if (!followRedirects || !isRedirect(response)) return { ...response, url: request.url.href };
      response.body.destroy();
      if (hops === mostRedirects) throw new OutboundRefused('redirects');
      request = redirected(request, response);
    }
  };

  const stream = async (request: OutboundRequest): Promise<OutboundStream> => {
    if (closed) throw new OutboundUnreachable('closed');
    const limits = { ...defaultLimits, ...settings.limits, ...request.limits };
    const prepared = prepareRequest(request, limits.requestBytes);
    const deadline = startDeadline(limits.totalMilliseconds, request.signal);
    try {
      const { body, ...answer } = await follow(request, prepared, deadline.signal);
      return { ...answer, body: bounded(body, limits.responseBytes, deadline) };
    } catch (error) {
      deadline.end();
      throw failureOf(error, deadline.signal);
    }
  };

  return {
    stream,
    send: async (request) => {
      const { body, ...answer } = await stream(request);
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      return { ...answer, body: Buffer.concat(chunks) };
    },
    close: async () => {
      closed = true;
      await pools.close();
    },
  };
}

/** Leaving the loop, by the end or an error, destroys the body and with it the connection. */
async function* bounded(
  body: Response['body'],
  most: number,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > most) throw new OutboundTooLarge('body');
      yield chunk;
    }
  } catch (error) {
    throw failureOf(error, deadline.signal);
  } finally {
    deadline.end();
  }
}
