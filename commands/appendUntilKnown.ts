import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '#src/errors.ts';
import { UnknownOutcome } from '#ports/eventLog.ts';
import type {
  Append,
  Appended,
  AppendVerdict,
  EventLog,
  EventToAppend,
  ExpectedRevision,
} from '#ports/eventLog.ts';

/** How long a caller is kept waiting for an append whose outcome is open, in milliseconds. */
const patience = 1_500;
const pause = 50;

/**
 * Appends; when the outcome is open, appends the same again, which the log recognises, until it is known.
 * @throws Unavailable when that takes too long: the append may have happened, or may not
 */
export const appendUntilKnown = (
  log: EventLog,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<Appended> => untilKnown(() => log.append(stream, expected, events));

/** As {@link appendUntilKnown}, for several streams. */
export const appendAllUntilKnown = (log: EventLog, appends: readonly Append[]): Promise<AppendVerdict[]> =>
  untilKnown(() => log.appendAll(appends));

async function untilKnown<Result>(append: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      return await append();
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) throw error;
      if (performance.now() + pause > deadline) {
        throw new Unavailable('The event log did not answer in time.', { cause: error });
      }
      await sleep(pause);
    }
  }
}
