import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runRollingRestart } from '#test/chaos/scenarios/rollingRestart.ts';

/** Restarts services so often. */
export function testRollingRestart(rounds: number): void {
  const restarts = suite('services that are restarted under load');
  const seed = Date.now();

  restarts('given load, when services are restarted one after the other, then no request fails', async () => {
    const { verdict, failed } = await runRollingRestart({ rounds, seed });
    assert.equal(verdict.faults, []);
    assert.is(failed, 0);
  });

  restarts.run();
}
