import type { Clock } from '#ports/clock.ts';

/** The system's time of day, shifted by some milliseconds. */
export const createClock = (offset: number): Clock => ({ now: () => new Date(Date.now() + offset) });
