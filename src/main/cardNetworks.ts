import { createHttpNetworks } from '#infra/networks/http/httpNetworks.ts';
import { createSandboxNetworks } from '#infra/networks/sandbox/sandboxNetworks.ts';
import type { CardNetworks } from '#ports/cardNetworks.ts';
import type { Outbound } from '#ports/outbound.ts';
import type { Config } from '#src/config.ts';

/** The networks that the settings name. */
export function createCardNetworks(
  { cardNetworksUrl: url, cardNetworksKey: apiKey }: Pick<Config, 'cardNetworksUrl' | 'cardNetworksKey'>,
  outbound: Outbound,
): CardNetworks {
  return url === undefined || apiKey === undefined
    ? createSandboxNetworks()
    : createHttpNetworks({ outbound, url, apiKey });
}
