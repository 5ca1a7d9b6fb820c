import * as uvu from 'uvu';
import type { Callback, Test } from 'uvu';
import type { TestTime } from '#test/runner/results.ts';

/**
 * uvu, in whose place it is loaded in the runner's processes: its suites note how long tests and hooks take, and
 * what hooks throw, which uvu forgets.
 */
export type Recording = { tests: TestTime[]; hooks: number; failures: string[] };

let recording: Recording = { tests: [], hooks: 0, failures: [] };

/** Begins anew; what was recorded is in the answer from then on. */
export function record(): Recording {
  recording = { tests: [], hooks: 0, failures: [] };
  return recording;
}

export function suite<State>(name = '', state?: State): Test<State> {
  return wrapped(uvu.suite<State>(name, state), name);
}

export const test = wrapped(uvu.suite(), '');

function wrapped<State>(real: Test<State>, name: string): Test<State> {
  const timedTest =
    (title: string, run: Callback<State>): Callback<State> =>
    async (context) => {
      const began = performance.now();
      const before = process.cpuUsage();
      try {
        await run(context);
      } finally {
        const { user, system } = process.cpuUsage(before);
        const processor = (user + system) / 1000;
        recording.tests.push({ suite: name, test: title, wall: performance.now() - began, processor });
      }
    };
  const timedHook =
    (kind: string, run: Callback<State>): Callback<State> =>
    async (context) => {
      const began = performance.now();
      try {
        await run(context);
      } catch (error) {
        const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
        recording.failures.push(`${kind} of "${name}" failed: ${told}`);
        throw error;
      } finally {
        recording.hooks += performance.now() - began;
      }
    };
  const hook = (kind: 'before' | 'after'): Test<State>['before'] =>
    Object.assign((run: Callback<State>) => real[kind](timedHook(kind, run)), {
      each: (run: Callback<State>) => real[kind].each(timedHook(`${kind}.each`, run)),
    });
  return Object.assign((title: string, run: Callback<State>) => real(title, timedTest(title, run)), {
    only: (title: string, run: Callback<State>) => real.only(title, timedTest(title, run)),
    skip: (...given: Parameters<Test<State>['skip']>) => real.skip(...given),
    before: hook('before'),
    after: hook('after'),
    run: () => real.run(),
  });
}
