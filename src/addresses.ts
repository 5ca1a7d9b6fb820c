import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network and how many of its first bits count. */
export type Network = readonly [Address, number];

/** An address in the one spelling that URL parsers and resolvers give. Undefined for others, and for zones. */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text)
    ? ipaddr.IPv6.parse(text)
    : undefined;
}

/** What {@link parseAddress} gives, with IPv4 in IPv6 (`::ffff:192.0.2.1`) as what it is. */
export function parsePlainAddress(text: string): Address | undefined {
  const address = parseAddress(text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** `10.0.0.0/8`, or an address as a network of one. */
export function parseNetwork(text: string): Network | undefined {
  const [, host = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = length === undefined ? parsePlainAddress(host) : parseAddress(host);
  if (address === undefined) return undefined;
  const most = address instanceof ipaddr.IPv4 ? 32 : 128;
  const bits = Number(length ?? most);
  return bits <= most ? [address, bits] : undefined;
}

export function isWithin(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
