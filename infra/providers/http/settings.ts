import type { Clock } from '#ports/clock.ts';
import type { Outbound } from '#ports/outbound.ts';

/** What a provider over HTTP is made with. */
export type HttpProviderSettings = {
  outbound: Outbound;
  clock: Clock;
  /** Absolute URL without a final slash, for another place than the provider's public one. */
  baseUrl?: string;
  /** Of one call, to the last byte of its answer. By default 30 seconds. */
  timeoutMilliseconds?: number;
};
