import type { Verdict } from '#infra/webhooks/record.ts';
import type { Attempt, ClaimedDelivery } from '#ports/webhookSending.ts';
import { delayAfter } from '#src/outgoing/schedule.ts';

/** Answers by which a receiver says that it is overloaded. */
const overloaded = new Set([429, 502, 503, 504]);

/** For so long the receiver wants nothing at all, in milliseconds. */
export const pauseAfter = ({ status = 0, retryAfter = 0 }: Attempt): number =>
  overloaded.has(status) ? retryAfter : 0;

/** @param delays before the retries, in milliseconds */
export function verdictOn(delivery: ClaimedDelivery, attempt: Attempt, delays: readonly number[]): Verdict {
  const { accepted, outcome, status: responseStatus, milliseconds } = attempt;
  const delay = delayAfter(attempt, delivery.attempts, delays);
  const facts = { delivery, outcome, responseStatus, milliseconds, pause: pauseAfter(attempt) };
  if (accepted) return { ...facts, status: 'delivered', delay: 0 };
  if (delay === undefined) return { ...facts, status: 'failed', delay: 0 };
  return { ...facts, status: 'pending', delay };
}
