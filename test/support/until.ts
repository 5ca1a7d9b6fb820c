import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a condition answers something, and answers that. The limit is for what never comes: a machine that is
 * busy with others must have time enough. @throws when it does not come in time
 */
export async function until<Answer>(
  condition: () => Answer | Promise<Answer>,
  milliseconds = 60_000,
): Promise<Exclude<Answer, false | undefined>> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const answer = await condition();
    if (answer !== false && answer !== undefined) return answer as Exclude<Answer, false | undefined>;
    if (performance.now() > deadline) {
      throw new Error(`not so within ${milliseconds} ms: ${condition.toString()}`);
    }
    await sleep(10);
  }
}
