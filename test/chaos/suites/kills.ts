import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runKills } from '#test/chaos/scenarios/kills.ts';

/** Kills so many things under load: each kind in turn. */
export function testKills(rounds: number): void {
  const kills = suite('processes that are killed under load');

  kills(
    'given load, when API, main process and PostgreSQL are killed, then nothing acknowledged is lost or happens twice',
    async () => {
      const done = await runKills({ rounds, seed: Date.now() });
      assert.equal(done.verdict.faults, []);
      assert.is(done.rounds.length, rounds);
      assert.ok(done.acknowledged > 30 * rounds, `only ${done.acknowledged} writes`);
    },
  );

  kills.run();
}
