import type { Posted } from '#src/outgoing/post.ts';

/** Pauses before the retries, in milliseconds: nine seconds, then always twice as long, 2.6 hours in all. */
export const retryDelays: readonly number[] = Array.from({ length: 10 }, (_, n) => 9_000 * 2 ** n);

/** The same for webhooks, a second shorter at first: so the first retry is made within ten, though it is polled for. */
export const webhookRetryDelays: readonly number[] = [8_000, ...retryDelays.slice(1)];

/**
 * Before the next attempt, in milliseconds: at least as long as the receiver asks for. Undefined: there is none, also
 * because the receiver said 410, which is for good.
 * @param made attempts before the one that ended so
 */
export function delayAfter(
  { status, retryAfter = 0 }: Pick<Posted, 'status' | 'retryAfter'>,
  made: number,
  delays: readonly number[],
): number | undefined {
  const delay = status === 410 ? undefined : delays[made];
  return delay === undefined ? undefined : Math.max(delay, retryAfter);
}
