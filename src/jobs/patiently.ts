import { setTimeout as sleep } from 'node:timers/promises';
import { TenantKeysMissing } from '#ports/vault.ts';

/** What has run cannot be run again, so its end is worth waiting for: a minute in all, in milliseconds. */
const pauses = [100, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 20_000];

/** Tries until it succeeds, or the pauses are used up. @throws what the last attempt threw */
export async function patiently(attempt: () => Promise<void>): Promise<void> {
  for (const pause of pauses) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (error instanceof TenantKeysMissing) throw error;
      await sleep(pause, undefined, { ref: false });
    }
  }
  await attempt();
}

/** There is nothing to be done for a tenant that was erased. */
export async function unlessErased(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof TenantKeysMissing)) throw error;
  });
}
