import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '#src/errors.ts';
import { UnknownOutcome } from '#ports/eventLog.ts';
import type { Appended, EventLog, EventToAppend, ExpectedRevision } from '#ports/eventLog.ts';

/** How long a caller is kept waiting for an append whose outcome is open, in milliseconds. */
const patience = 1_500;
const pause = 50;

/**
 * Appends; when the outcome is open, appends the same again, which the log recognises, until it is known.
 * @throws Unavailable when that takes too long: the append may have happened, or may not
 */
export async function appendUntilKnown(
  log: EventLog,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<Appended> {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      return await log.append(stream, expected, events);
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) throw error;
      if (performance.now() + pause > deadline) {
        throw new Unavailable('The event log did not answer in time.', { cause: error });
      }
      await sleep(pause);
    }
  }
}
