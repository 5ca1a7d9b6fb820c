import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '#src/errors.ts';
import { LogRefused, LogUnavailable, UnknownOutcome } from '#ports/eventLog.ts';
import type {
  Append,
  Appended,
  AppendVerdict,
  EventLog,
  EventToAppend,
  ExpectedRevision,
} from '#ports/eventLog.ts';

/** Where nothing was sent, nothing is in doubt, and the caller may as well try again later; in milliseconds. */
const patienceUnsent = 1_500;
/**
 * No try begins later than this, in milliseconds: a try has 4 s, and a request 10 s in all. So there is always one more
 * after a try that ran out of time.
 */
const lastStart = 6_000;
const pause = 50;

/**
 * Appends; when nothing was sent or the outcome is open, appends the same again, which the log recognises, until it is
 * known.
 * @throws Unavailable when that takes too long: the append may have happened, or may not
 * @throws LogUnavailable when nothing was sent
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
  const begun = performance.now();
  let inDoubt = false;
  for (;;) {
    try {
      return await append();
    } catch (error) {
      inDoubt ||= error instanceof UnknownOutcome;
      if (!inDoubt && (!(error instanceof LogUnavailable) || error instanceof LogRefused)) throw error;
      if (inDoubt && !(error instanceof UnknownOutcome) && !(error instanceof LogUnavailable)) throw error;
      const waited = performance.now() - begun + pause;
      if (!inDoubt && waited > patienceUnsent) throw error;
      if (waited > lastStart) {
        throw new Unavailable('The event log did not answer in time.', { cause: error });
      }
      await sleep(pause);
    }
  }
}
