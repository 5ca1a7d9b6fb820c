import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition. @throws when it does not come within some milliseconds */
export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 10_000,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline) {
      throw new Error(`not so within ${milliseconds} ms: ${condition.toString()}`);
    }
    await sleep(10);
  }
}
