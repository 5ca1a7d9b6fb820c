import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import { Blocks } from '#infra/rateLimits/blocks.ts';
import { createMemoryRateLimiter } from '#infra/rateLimits/memory.ts';
import { SharedCounter } from '#infra/rateLimits/sharedCounter.ts';
import { standingAfter } from '#infra/rateLimits/standing.ts';
import type { Logger } from '#ports/logger.ts';
import type { RateLimiter, RateScope } from '#ports/rateLimiter.ts';
import type { RateLimits } from '#src/rateLimits.ts';

const restAfterFailure = 5_000;

export type PostgresRateLimiterOptions = {
  pool: pg.Pool;
  limits: RateLimits;
  logger: Logger;
  /** How long the database is not asked after it failed, in milliseconds. */
  rest?: number;
};

/**
 * Counts in the database, for all processes that share it. While it cannot be reached, each process counts for
 * itself: refusing everybody would make an outage of what is a matter of fairness, and letting everybody in would
 * invite the flood.
 */
export function createPostgresRateLimiter({
  pool,
  limits,
  logger,
  rest = restAfterFailure,
}: PostgresRateLimiterOptions): RateLimiter {
  const counter = (scope: RateScope): SharedCounter => new SharedCounter(pool, scope, limits[scope]);
  const counters: Record<RateScope, SharedCounter> = {
    global: counter('global'),
    portal: counter('portal'),
    token_search: counter('token_search'),
    token_list: counter('token_list'),
    token_create: counter('token_create'),
    public_tokens: counter('public_tokens'),
    private_tokens: counter('private_tokens'),
  };
  const insurance = createMemoryRateLimiter(limits);
  const blocks = new Blocks();
  // The library would ask the database for every request, and have each wait until it does not answer.
  let askFrom = 0;
  return {
    count: async (scope, client, amount = 1) => {
      const key = `${scope}:${client}`;
      const blocked = blocks.millisecondsLeft(key);
      if (blocked > 0) return { allowed: false, remaining: 0, milliseconds: blocked };
      if (performance.now() < askFrom) return insurance.count(scope, client, amount);
      try {
        const standing = await standingAfter(counters[scope].consume(client, amount));
        if (!standing.allowed) blocks.add(key, standing.milliseconds);
        return standing;
      } catch (error) {
        if (performance.now() >= askFrom) {
          logger.warn(
            { err: error },
            'requests cannot be counted in the database: each process counts its own',
          );
        }
        askFrom = performance.now() + rest;
        return insurance.count(scope, client, amount);
      }
    },
  };
}
