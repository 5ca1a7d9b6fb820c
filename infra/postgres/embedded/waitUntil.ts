import { setTimeout as delay } from 'node:timers/promises';

const pollInterval = 20;

/** Asks again and again until the condition holds; answers whether it did within `limit` milliseconds. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  limit: number,
): Promise<boolean> {
  const deadline = Date.now() + limit;
  while (!(await condition())) {
    if (Date.now() >= deadline) return false;
    await delay(pollInterval);
  }
  return true;
}
