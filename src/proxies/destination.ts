import { destinationFault } from '#commands/proxy/content.ts';
import { invalid } from '#http/validation/faults.ts';
import type { IncomingRequest } from '#http/route.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { Credentials } from '#ports/credentials.ts';
import type { OutboundGuard } from '#ports/outbound.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { getProxy } from '#queries/proxy/get.ts';
import { destinationListsOf } from '#src/destinations.ts';
import { Forbidden, NotFound, Unauthenticated } from '#src/errors.ts';
import { headersOf } from '#src/proxies/message.ts';
import { pairsOf, written } from '#src/proxies/urlEncoded.ts';
import type { ProxyWithSecrets } from '#src/proxySecrets.ts';

export type DestinationDependencies = QueryDependencies & {
  credentials: Credentials;
  outboundGuard: OutboundGuard;
};

/** Where a request is to go, for whose account, and by which proxy; undefined: it named a URL itself. */
export type Destination = {
  tenantId: string;
  baseUrl: string;
  proxy: ProxyWithSecrets | undefined;
  /** The proxy, or the application that named the URL. */
  onBehalfOf: readonly string[];
};

const keyParameter = 'bt-proxy-key';

/**
 * Finds where a request wants to go. Without a key of the tenant, one cannot tell a proxy that is not there from one
 * that is not for everybody.
 * @throws Unauthenticated @throws NotFound @throws Forbidden @throws ValidationFailed
 */
export async function findDestination(
  dependencies: DestinationDependencies,
  caller: Caller | undefined,
  incoming: IncomingRequest,
): Promise<Destination> {
  const key = keyIn(incoming);
  const url = urlIn(incoming);
  if (key !== undefined && url !== undefined) {
    throw invalid('BT-PROXY-URL', 'must not be given together with BT-PROXY-KEY');
  }
  if (key !== undefined) return findConfigured(dependencies, caller, key);
  if (caller === undefined) throw keyMissing();
  if (url === undefined) {
    throw invalid('BT-PROXY-URL', 'must be given, with the URL of the destination; or BT-PROXY-KEY');
  }
  return ephemeral(dependencies, caller, url);
}

async function findConfigured(
  dependencies: DestinationDependencies,
  caller: Caller | undefined,
  key: string,
): Promise<Destination> {
  const proxy = await proxyOfKey(dependencies, key);
  const isForCaller =
    caller === undefined ? proxy?.record.requireAuth === false : proxy?.record.tenantId === caller.tenantId;
  if (proxy === undefined || !isForCaller) {
    throw caller === undefined ? keyMissing() : new NotFound('There is no such proxy.');
  }
  return {
    tenantId: proxy.record.tenantId,
    baseUrl: proxy.secrets.destinationUrl,
    proxy,
    onBehalfOf: [proxy.record.id],
  };
}

async function proxyOfKey(
  dependencies: DestinationDependencies,
  key: string,
): Promise<ProxyWithSecrets | undefined> {
  const { credentials } = dependencies;
  const isOne = credentials.wellFormed(key) && credentials.isProxy(key);
  const found = isOne ? await credentials.find(key) : undefined;
  if (found === undefined) return undefined;
  return getProxy(dependencies, found.tenantId, found.keyId).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
}

function ephemeral(dependencies: DestinationDependencies, caller: Caller, url: string): Destination {
  if (caller.tenantSettings['disable_ephemeral_proxy'] === 'true') {
    throw new Forbidden('The tenant has turned off proxies that are not configured.');
  }
  const lists = destinationListsOf(caller.tenantSettings, [caller.applicationId]);
  const fault = destinationFault(dependencies, url, lists);
  if (fault !== undefined) throw invalid('BT-PROXY-URL', fault);
  return { tenantId: caller.tenantId, baseUrl: url, proxy: undefined, onBehalfOf: [caller.applicationId] };
}

const keyMissing = (): Unauthenticated => new Unauthenticated('The BT-API-KEY header is required');

const isKey = (name: string): boolean => name.toLowerCase() === keyParameter;

/** Who reads the first of two and who reads the last would send the same request to different places. */
function keyIn({ headers, query }: IncomingRequest): string | undefined {
  const inQuery = pairsOf(query).flatMap(({ name, value }) => (isKey(name) ? [value] : []));
  const [key, ...others] = new Set([...headersOf(headers, keyParameter), ...inQuery]);
  if (others.length === 0) return key;
  throw invalid('BT-PROXY-KEY', 'must be one key; the request has several, in its headers or its query');
}

function urlIn({ headers }: IncomingRequest): string | undefined {
  const [url, ...others] = headersOf(headers, 'bt-proxy-url');
  if (others.length === 0) return url;
  throw invalid('BT-PROXY-URL', 'must be given once');
}

/** The query as a destination may see it: without the key. */
export const withoutKey = (query: string): string =>
  written(pairsOf(query).filter(({ name }) => !isKey(name)));

/** Servers differ on where a segment ends, and on what may follow the dots. */
const leadsUp = /(^|[/\\])\.{1,2}(;[^/\\]*)?([/\\]|$)/;

/**
 * The URL with what stands after `/proxy` put behind its path, and the query behind its query. What would lead out of
 * the path is refused: who may use a proxy may not reach all of its host.
 * @param path of the request, percent-encoded
 * @throws ValidationFailed
 */
export function urlUnder(baseUrl: string, path: string, query: string): string {
  const url = new URL(baseUrl);
  const suffix = suffixOf(path);
  if (leadsUp.test(decodeURIComponent(suffix))) {
    throw invalid('path', "must hold no segment . or .., since it stays below the destination's path");
  }
  const search = [url.search.slice(1), query].filter((part) => part !== '').join('&');
  const under = suffix === '' || suffix === '/' ? url.pathname : url.pathname.replace(/\/$/, '') + suffix;
  return `${url.origin}${under}${search === '' ? '' : `?${search}`}`;
}

/** What stands after `/proxy`, from the slash on. */
export const suffixOf = (path: string): string => path.slice('/proxy'.length);
