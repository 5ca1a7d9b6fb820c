import type { HttpContext } from '#http/context.ts';
import type { RequestMetrics } from '#http/metrics.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { RateLimiter, RateScope, RateStanding } from '#ports/rateLimiter.ts';
import { RateLimited } from '#src/errors.ts';
import { rateWindow, unlimited } from '#src/rateLimits.ts';
import type { RateLimits } from '#src/rateLimits.ts';

export type RateGate = {
  /** Counts a request, and says in the answer how its client stands. @throws RateLimited */
  pass(context: HttpContext, scope: RateScope): Promise<void>;
  /**
   * Counts the tokens that a request is about, where they are limited for such a caller.
   * @param tokens how many; only asked when they are
   * @throws RateLimited
   */
  passTokens(context: HttpContext, caller: Pick<Caller, 'type'>, tokens: () => number): Promise<void>;
};

/** Where nothing is limited. */
export const openGate: RateGate = { pass: () => Promise.resolve(), passTokens: () => Promise.resolve() };

/** @param limits undefined: none */
export function createRateGate(
  { rateLimiter }: { rateLimiter: RateLimiter },
  limits: RateLimits | undefined,
  metrics: Pick<RequestMetrics, 'refused'>,
): RateGate {
  if (limits === undefined) return openGate;
  const count = async (
    context: HttpContext,
    scope: RateScope,
    amount: number,
    what: string,
  ): Promise<void> => {
    const standing = await rateLimiter.count(scope, clientOf(context.state.address), amount);
    tell(context, scope, limits[scope], standing);
    if (standing.allowed) return;
    metrics.refused(scope);
    throw new RateLimited(`Too many ${what} from this address; the Retry-After header says when to go on.`);
  };
  return {
    pass: async (context, scope) => {
      // Code of a reactor is bounded by the invocations that it is part of.
      if (context.state.lent === undefined) await count(context, scope, 1, 'requests were made');
    },
    passTokens: async (context, { type }, tokens) => {
      const scope = type === 'public' || type === 'session' ? 'public_tokens' : 'private_tokens';
      if (context.state.lent !== undefined || limits[scope] === unlimited) return;
      const amount = tokens();
      if (amount > 0) await count(context, scope, amount, 'tokens were asked for');
    },
  };
}

/** As draft-ietf-httpapi-ratelimit-headers-10 has it, for every limit that a request counts for. */
function tell(context: HttpContext, scope: RateScope, limit: number, standing: RateStanding): void {
  const { allowed, remaining, milliseconds } = standing;
  const seconds = Math.max(Math.ceil(milliseconds / 1_000), 1);
  add(context, 'RateLimit-Policy', `"${scope}";q=${limit};w=${rateWindow}`);
  add(context, 'RateLimit', `"${scope}";r=${remaining};t=${seconds}`);
  if (!allowed) context.set('Retry-After', String(seconds));
}

/** Koa's own copies all headers of the answer to look at one. */
function add({ res }: HttpContext, name: string, item: string): void {
  const before = res.getHeader(name);
  res.setHeader(name, before === undefined ? item : `${String(before)}, ${item}`);
}

/**
 * Who is counted: an IPv4 address, or the /64 network of an IPv6 address, all of which is in one hand. Addresses of
 * a translator (RFC 6052) stand for IPv4 addresses, so each for itself. Written out: a parser takes longer than all
 * else that counting takes.
 * @param address in its shortest spelling
 */
export function clientOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const first = groupsOf(head);
  const last = groupsOf(tail ?? '');
  if (head === '64:ff9b' && last.length <= 2) return address;
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

const groupsOf = (half: string): string[] => (half === '' ? [] : half.split(':'));
