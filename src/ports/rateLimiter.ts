/** What is counted apart for every client: requests, or the tokens that requests are about. spec: Limits */
export type RateScope =
  'global' | 'portal' | 'token_search' | 'token_list' | 'token_create' | 'public_tokens' | 'private_tokens';

/** How a client stands in a scope after a request. */
export type RateStanding = {
  allowed: boolean;
  /** How many more requests are allowed before the counter starts anew. */
  remaining: number;
  /** Until the counter starts anew or the block ends, in milliseconds: 10,000 at most. */
  milliseconds: number;
};

export interface RateLimiter {
  /**
   * Counts a request. A client that goes over the limit of a scope is refused there for ten seconds, whatever it
   * sends meanwhile. Never rejects: a store that is gone must not stop requests.
   * @param client an address or network; at most 64 characters
   * @param amount what it counts for. Default: 1
   */
  count(scope: RateScope, client: string, amount?: number): Promise<RateStanding>;
}
