import { RateLimiterMemory } from 'rate-limiter-flexible';
import { standingAfter } from '#infra/rateLimits/standing.ts';
import type { RateLimiter, RateScope, RateStanding } from '#ports/rateLimiter.ts';
import { rateWindow } from '#src/rateLimits.ts';
import type { RateLimits } from '#src/rateLimits.ts';

/** Clients that are remembered for a scope: some 25 MB when that many come within ten seconds. */
const mostClients = 50_000;

/** Counts in the memory of this process, by timers that no change of the clock moves. */
export function createMemoryRateLimiter(limits: RateLimits, most = mostClients): RateLimiter {
  const counters: Record<RateScope, Counter> = {
    global: new Counter(limits.global, most),
    portal: new Counter(limits.portal, most),
    token_search: new Counter(limits.token_search, most),
    token_list: new Counter(limits.token_list, most),
    token_create: new Counter(limits.token_create, most),
    public_tokens: new Counter(limits.public_tokens, most),
    private_tokens: new Counter(limits.private_tokens, most),
  };
  return { count: (scope, client, amount = 1) => counters[scope].count(client, amount) };
}

/** One scope. The library forgets a client after its ten seconds, but knows no end of clients within them. */
class Counter {
  readonly #limiter: RateLimiterMemory;
  readonly #most: number;
  /** Those that may be remembered, the longest known first. */
  readonly #clients = new Set<string>();

  constructor(points: number, most: number) {
    this.#limiter = new RateLimiterMemory({ points, duration: rateWindow, blockDuration: rateWindow });
    this.#most = most;
  }

  async count(client: string, amount: number): Promise<RateStanding> {
    const standing = await standingAfter(this.#limiter.consume(client, amount));
    this.#remember(client);
    return standing;
  }

  #remember(client: string): void {
    if (this.#clients.has(client)) return;
    this.#clients.add(client);
    if (this.#clients.size <= this.#most) return;
    // Who has that many addresses gains nothing by a counter that starts anew.
    for (const oldest of this.#clients) {
      this.#clients.delete(oldest);
      void this.#limiter.delete(oldest);
      return;
    }
  }
}
