/** Pauses before the retries, in milliseconds: nine seconds, then always twice as long, 2.6 hours in all. */
export const retryDelays: readonly number[] = Array.from({ length: 10 }, (_, n) => 9_000 * 2 ** n);
