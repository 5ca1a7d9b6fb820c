import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCutOff } from '#test/chaos/scenarios/cutOff.ts';

const outages = suite('a database that is not there for a while');
const seed = Date.now();
/** Longer by `npm run chaos`. */
const milliseconds = 3_000;

for (const how of ['paused', 'cut off'] as const) {
  outages(
    `given load, when PostgreSQL is ${how}, then reads are refused, and all goes on when it is back`,
    async () => {
      const { verdict, reads, slowestRead } = await runCutOff(how, { milliseconds, seed });
      assert.equal(verdict.faults, []);
      assert.ok(reads > 0 && slowestRead < 2 * milliseconds);
    },
  );
}

outages.run();
