import ipaddr from 'ipaddr.js';
import { isWithin } from '#src/addresses.ts';
import type { Address } from '#src/addresses.ts';

/** The only block of IPv6 that IANA gives out for the public internet; IPv4 in disguise lies elsewhere, mostly. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** What `range()` of ipaddr.js calls unicast although nothing public is there, or may not be there in another version. */
const furtherBlocks = [
  // Azure's wire server hands out credentials of the machine from an address that looks public.
  '168.63.129.16/32',
  // Documentation, RFC 9637.
  '3fff::/20',
  // Protocol assignments with Teredo and benchmarking, RFC 2928.
  '2001::/23',
  // 6to4, RFC 3056.
  '2002::/16',
].map((block) => ipaddr.parseCIDR(block));

/** Whether an address is on the public internet, for certain. IPv6 that carries an IPv4 address is not. */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (furtherBlocks.some((block) => isWithin(address, block))) return false;
  return address instanceof ipaddr.IPv4 || (isWithin(address, globalUnicast) && !isIsatap(address));
}

/** RFC 5214: the second half of the address is `0000:5efe` or `0200:5efe` and an IPv4 address. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
}
