import type { Clock } from '#ports/clock.ts';

/** Whether a time (ISO 8601) has come. */
export const isPast = (time: string, clock: Clock): boolean => Date.parse(time) <= clock.now().getTime();

/** Whether the time of something has come; what has none does not expire. */
export const hasExpired = ({ expiresAt }: { expiresAt: string | undefined }, clock: Clock): boolean =>
  expiresAt !== undefined && isPast(expiresAt, clock);
