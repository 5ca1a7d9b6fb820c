import { destinationListFault } from '#src/destinations.ts';
import type { DestinationList } from '#src/destinations.ts';
import type { OutboundGuard, OutboundRefusal } from '#ports/outbound.ts';

/** In characters. */
const longest = 2_048;

const messages: Partial<Record<OutboundRefusal, string>> = {
  scheme: 'must start with https://',
  address: 'must lead to the public internet',
};

/**
 * Why nothing may be sent to a URL, as far as that can be told before anything is sent; undefined: nothing shows.
 * @param lists what the tenant allows
 */
export function targetUrlFault(
  { outboundGuard }: { outboundGuard: OutboundGuard },
  url: string,
  lists: readonly DestinationList[] = [],
): string | undefined {
  if (url.length > longest) return `must be at most ${longest} characters`;
  const refusal = outboundGuard.refusalOf(url);
  if (refusal === undefined) return destinationListFault(lists, url);
  return messages[refusal] ?? 'must be an absolute URL without a user or password';
}
