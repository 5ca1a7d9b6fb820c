import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runEventStore } from '#test/chaos/scenarios/eventStore.ts';

/** Cuts the event store off so often. */
export function testEventStore(rounds: number): void {
  const eventStores = suite('an event store that is cut off under load');
  const seed = Date.now();

  eventStores(
    'given load, when the event store is cut off and comes back, then nothing is lost or applied twice',
    async () => {
      // What a batch leaves behind is taken away minutes later: `npm run chaos` waits for that.
      const { verdict } = await runEventStore({ rounds, seed, without: ['tokenize'] });
      assert.equal(verdict.faults, []);
    },
  );

  eventStores.run();
}
