import type { Outbound, OutboundRequest } from '#ports/outbound.ts';
import { destinationListsOf } from '#src/destinations.ts';

type Settings = Readonly<Record<string, string>>;
type Known = { settings: Promise<Settings>; until: number };

/** For so long a tenant's settings are remembered, in milliseconds: as long as the rights of its keys. */
const lifetime = 1_000;
const mostTenants = 1_000;

/**
 * Calls that tenants steer, to the destinations that their settings allow.
 * @param settingsOf a tenant's settings as they are; none of one that is gone
 */
export function createBoundedOutbound(
  outbound: Outbound,
  settingsOf: (tenantId: string) => Promise<Settings>,
): Outbound {
  const known = new Map<string, Known>();

  const knownSettings = (tenantId: string): Promise<Settings> => {
    const found = known.get(tenantId);
    if (found !== undefined && found.until > performance.now()) return found.settings;
    known.delete(tenantId);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= mostTenants) known.delete(oldest);
    const settings = settingsOf(tenantId);
    known.set(tenantId, { settings, until: performance.now() + lifetime });
    settings.catch(() => known.delete(tenantId));
    return settings;
  };
  const bounded = async (request: OutboundRequest): Promise<OutboundRequest> => ({
    ...request,
    destinations: destinationListsOf(await knownSettings(request.tenantId), request.onBehalfOf ?? []),
  });

  return {
    send: async (request) => outbound.send(await bounded(request)),
    stream: async (request) => outbound.stream(await bounded(request)),
    close: () => outbound.close(),
  };
}
