import { isWithin, parsePlainAddress } from '#src/addresses.ts';
import type { Address, Network } from '#src/addresses.ts';

/**
 * Who is at the other end: the peer of the connection, or, when that is a trusted proxy, the last address of
 * `X-Forwarded-For` that is none. What stands before it was said by the client, and may be anything.
 * @param peer as the socket tells it; empty when the socket broke
 * @param forwardedFor the header; several are one, joined by commas
 * @returns the address in its shortest spelling, IPv4 in IPv6 as IPv4, and without a zone
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | string[] | undefined,
  trustedProxies: readonly Network[],
): string {
  const plain = peer.replace(/%.*/, '').replace(/^::ffff:(?=\d+\.)/, '');
  // Most requests, where there are no proxies: sockets spell addresses as they are to be.
  const address = trustedProxies.length === 0 ? undefined : parsePlainAddress(plain);
  if (address === undefined) return plain;
  const isTrusted = (one: Address): boolean => trustedProxies.some((network) => isWithin(one, network));
  let client = address;
  const hops = forwardedFor === undefined || !isTrusted(address) ? [] : String(forwardedFor).split(',');
  while (isTrusted(client)) {
    // A proxy that says nothing, or nothing that is an address, is taken for the client itself.
    const before = parseHop(hops.pop() ?? '');
    if (before === undefined) break;
    client = before;
  }
  return client.toString();
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parseHop(text: string): Address | undefined {
  const hop = text.trim();
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop) ?? /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(hop);
  return parsePlainAddress(bare?.[1] ?? hop);
}
