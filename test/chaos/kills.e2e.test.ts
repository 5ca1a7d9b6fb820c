import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runKills } from '#test/chaos/scenarios/kills.ts';

const kills = suite('processes that are killed under load');

kills(
  'given load, when API, main process and PostgreSQL are killed, then nothing acknowledged is lost or happens twice',
  async () => {
    const { rounds, acknowledged, verdict } = await runKills({ rounds: 3, seed: Date.now() });
    assert.equal(verdict.faults, []);
    assert.is(rounds.length, 3);
    assert.ok(acknowledged > 100, `only ${acknowledged} writes`);
  },
);

kills.run();
