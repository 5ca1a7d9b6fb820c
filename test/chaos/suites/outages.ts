import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCutOff } from '#test/chaos/scenarios/cutOff.ts';

/** Takes the database away for so long; even longer by `npm run chaos`. */
export function testOutages(kinds: readonly ('paused' | 'cut off')[], milliseconds: number): void {
  const outages = suite('a database that is not there for a while');
  const seed = Date.now();

  for (const how of kinds) {
    outages(
      `given load, when PostgreSQL is ${how}, then reads are refused, and all goes on when it is back`,
      async () => {
        const { verdict, reads, slowestRead } = await runCutOff(how, { milliseconds, seed });
        assert.equal(verdict.faults, []);
        assert.ok(reads > 0 && slowestRead < 2 * Math.max(milliseconds, 3_000));
      },
    );
  }

  outages.run();
}
