import type { RateScope } from '#ports/rateLimiter.ts';

/** Requests, or tokens, of one client in {@link rateWindow}, by scope; {@link unlimited}: they are not counted. */
export type RateLimits = Readonly<Record<RateScope, number>>;

/** Counters take finite numbers only. */
export const unlimited = Number.MAX_SAFE_INTEGER;

/** spec: Limits */
export const standardRateLimits: RateLimits = {
  global: 1_000,
  portal: 600,
  token_search: 50,
  token_list: 100,
  token_create: 200,
  public_tokens: 200,
  private_tokens: unlimited,
};

/** What requests are counted over, and for how long one too many is answered by refusals, in seconds. spec: Limits */
export const rateWindow = 10;

export const isRateScope = (text: string): text is RateScope => Object.hasOwn(standardRateLimits, text);
