/** The time of day, as the service sees it: `HOLDFAST_CLOCK_OFFSET` shifts it in tests. */
export interface Clock {
  now(): Date;
}
