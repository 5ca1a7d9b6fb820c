import * as assert from 'uvu/assert';

/** What a call that has to fail failed with. */
export const failureOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => assert.unreachable('it should have failed'),
    (error: unknown) => error,
  );
