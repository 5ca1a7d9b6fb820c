import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runEventStore } from '#test/chaos/scenarios/eventStore.ts';
import { runRollingRestart } from '#test/chaos/scenarios/rollingRestart.ts';

const restarts = suite('what is restarted under load');
const seed = Date.now();

restarts(
  'given load, when the event store is cut off and comes back, then nothing is lost or applied twice',
  async () => {
    // What a batch leaves behind is taken away minutes later: `npm run chaos` waits for that.
    const { verdict } = await runEventStore({ rounds: 2, seed, without: ['tokenize'] });
    assert.equal(verdict.faults, []);
  },
);

restarts('given load, when services are restarted one after the other, then no request fails', async () => {
  const { verdict, failed } = await runRollingRestart({ rounds: 2, seed });
  assert.equal(verdict.faults, []);
  assert.is(failed, 0);
});

restarts.run();
