import { RateLimiterRes } from 'rate-limiter-flexible';
import type { RateStanding } from '#ports/rateLimiter.ts';
import { rateWindow } from '#src/rateLimits.ts';

/** What the library answers: it rejects with its result when a client is over the limit. */
export async function standingAfter(consumed: Promise<RateLimiterRes>): Promise<RateStanding> {
  try {
    return standingOf(await consumed, true);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return standingOf(refusal, false);
    throw refusal;
  }
}

/** The library reckons by the time of day, which may have been set back meanwhile. */
const standingOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes, allowed: boolean): RateStanding => ({
  allowed,
  remaining: remainingPoints,
  milliseconds: Math.min(Math.max(msBeforeNext, 0), rateWindow * 1_000),
});
