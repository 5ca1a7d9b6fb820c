/** A short-lived part cannot be read from this age on, in milliseconds (spec: CVC retention). */
export const shortLivedLifetime = 60 * 60_000;

/**
 * Parts stored in the same minute share an epoch key, which is destroyed when the youngest of them is an hour
 * old: an hour and a minute after it was stored a part is beyond reach of every key that still exists.
 */
export const epochLength = 60_000;

export const epochOf = (storedAt: Date): number => Math.floor(storedAt.getTime() / epochLength);

/** The first epoch whose key may still be needed. */
export const oldestLiveEpoch = (now: Date): number => epochOf(new Date(now.getTime() - shortLivedLifetime));

export const hasPassed = (storedAt: Date, now: Date): boolean =>
  now.getTime() - storedAt.getTime() >= shortLivedLifetime;
