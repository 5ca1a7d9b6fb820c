import type { Exceptions } from '#infra/outbound/exceptions.ts';
import { isPublic } from '#infra/outbound/publicAddress.ts';
import { parseAddress } from '#src/addresses.ts';
import type { Resolver } from '#infra/outbound/resolver.ts';
import type { Target } from '#infra/outbound/target.ts';
import { untilAborted } from '#infra/outbound/deadline.ts';
import { OutboundRefused, OutboundUnreachable } from '#ports/outbound.ts';

/**
 * The addresses that a target may be reached at, all of them checked; the name is resolved here and never again. One
 * address that is not allowed spoils all: a name of good faith does not mix them.
 * @throws OutboundRefused @throws OutboundUnreachable
 */
export async function checkedAddresses(
  target: Target,
  { exceptions, resolver, signal }: { exceptions: Exceptions; resolver: Resolver; signal: AbortSignal },
): Promise<string[]> {
  const { host, literal, port, secure } = target;
  const named = literal === undefined && exceptions.allowsName(host, port);
  const check = (text: string): string => {
    const address = parseAddress(text);
    if (address === undefined) throw new OutboundRefused('address');
    if (!named && !exceptions.allowsAddress(address, port)) {
      if (!isPublic(address)) throw new OutboundRefused('address');
      if (!secure) throw new OutboundRefused('scheme');
    }
    return address.toString();
  };
  if (literal !== undefined) return [check(literal.toString())];
  // RFC 6761 §6.3: no name server is needed to know where it leads.
  if (!named && /(^|\.)localhost$/.test(host)) throw new OutboundRefused('address');
  const resolving = named ? resolver.resolveHere(host) : resolver.resolve(host, signal);
  const found = await untilAborted(signal, resolving);
  if (found.length === 0) throw new OutboundUnreachable('name');
  return found.map(check);
}
