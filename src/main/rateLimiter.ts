import type { Connection } from '#infra/postgres/connection.ts';
import { createRateCountPool } from '#infra/postgres/pools.ts';
import { createMemoryRateLimiter } from '#infra/rateLimits/memory.ts';
import { createPostgresRateLimiter } from '#infra/rateLimits/postgres.ts';
import type { Config } from '#src/config.ts';
import type { Logger } from '#ports/logger.ts';
import type { RateLimiter } from '#ports/rateLimiter.ts';
import { standardRateLimits } from '#src/rateLimits.ts';

export type RunningRateLimiter = RateLimiter & { close(): Promise<void> };

/** In the database wherever requests of one client may meet different processes, unless the settings say otherwise. */
export function createRateLimiter(
  { role, processes, rateLimits: limits = standardRateLimits, rateLimitStore }: Config,
  connection: Connection,
  logger: Logger,
): RunningRateLimiter {
  const isShared = role === 'api' || processes > 1;
  if ((rateLimitStore ?? (isShared ? 'postgres' : 'memory')) === 'memory') {
    return { ...createMemoryRateLimiter(limits), close: () => Promise.resolve() };
  }
  const pool = createRateCountPool(connection);
  return { ...createPostgresRateLimiter({ pool, limits, logger }), close: () => pool.end() };
}
