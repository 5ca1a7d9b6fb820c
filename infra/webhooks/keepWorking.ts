import { Backoff } from '#infra/backoff.ts';
import type { Wakeup } from '#infra/eventlog/wakeup.ts';
import type { Logger } from '#ports/logger.ts';

export type Working = {
  /** Answers whether there is more to do at once. */
  work(): Promise<boolean>;
  /** Woken when there is something to do, and when the signal aborts. */
  wakeup: Wakeup;
  /** It is looked at this often anyway, in milliseconds. */
  pollInterval: number;
  signal: AbortSignal;
  logger: Logger;
};

/** Does what there is to do until the signal aborts; never rejects. */
export async function keepWorking({ work, wakeup, pollInterval, signal, logger }: Working): Promise<void> {
  const backoff = new Backoff(100, 5_000);
  while (!signal.aborted) {
    try {
      const isMore = await work();
      backoff.reset();
      if (!isMore) await wakeup.wait(pollInterval);
    } catch (error) {
      logger.warn({ err: error }, 'webhooks could not be looked after, and are in a moment');
      await backoff.pause(signal);
    }
  }
}
