import { Pool } from 'undici';
import { pinnedConnector } from '#infra/outbound/connector.ts';
import type { ConnectorSettings } from '#infra/outbound/connector.ts';
import type { Identity } from '#infra/outbound/identity.ts';
import type { Target } from '#infra/outbound/target.ts';

export type PoolSettings = ConnectorSettings & {
  /** All headers of an answer together. */
  responseHeaderBytes: number;
  /** Pools kept; the one that was used longest ago makes room. */
  most: number;
};

export type Pools = {
  /** @param address a checked one @throws OutboundRefused for an identity that is none */
  of(tenantId: string, target: Target, address: string, identity?: Identity): Pool;
  /** Waits for the requests under way. */
  close(): Promise<void>;
};

/** To one address, for one tenant; what is beyond waits its turn. */
const connectionsOfPool = 16;
/** Milliseconds that an idle connection is kept. */
const keepAliveMilliseconds = 4_000;

/** Connections that are kept for a while, by tenant, origin, checked address and identity. */
export function createPools({ responseHeaderBytes, most, ...connector }: PoolSettings): Pools {
  const pools = new Map<string, Pool>();
  const closing = new Set<Promise<void>>();

  const retire = (key: string, pool: Pool): void => {
    pools.delete(key);
    const closed = pool.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };

  return {
    of: (tenantId, { url, host }, address, identity) => {
      const key = `${tenantId} ${url.origin} ${address} ${identity?.id ?? ''}`;
      const pool =
        pools.get(key) ??
        new Pool(url.origin, {
          connect: pinnedConnector({ host, address, identity }, connector),
          connections: connectionsOfPool,
          pipelining: 1,
          allowH2: false,
          maxHeaderSize: responseHeaderBytes,
          keepAliveTimeout: keepAliveMilliseconds,
          keepAliveMaxTimeout: keepAliveMilliseconds,
          // The call's own deadline ends it.
          headersTimeout: 0,
          bodyTimeout: 0,
        });
      pools.delete(key);
      pools.set(key, pool);
      for (const [oldest, unused] of pools) {
        if (pools.size <= most) break;
        retire(oldest, unused);
      }
      return pool;
    },
    close: async () => {
      for (const [key, pool] of pools) retire(key, pool);
      await Promise.all(closing);
    },
  };
}
