import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCutOff } from '#test/chaos/scenarios/cutOff.ts';
import { runDiskFull } from '#test/chaos/scenarios/diskFull.ts';
import { cannotMount } from '#test/chaos/support/smallDisk.ts';

const outages = suite('a database and a disk that are not there for a while');
const seed = Date.now();
/** Longer by `npm run chaos`. */
const milliseconds = 4_000;

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

const obstacle = cannotMount();
const onSmallDisk = obstacle === undefined ? outages : outages.skip;
onSmallDisk(
  `given load, when the disk is full, then nothing is acknowledged that is not kept, and all goes on when there is room (${obstacle ?? 'on a tmpfs'})`,
  async () => {
    const { verdict } = await runDiskFull({ milliseconds, seed });
    assert.equal(verdict.faults, []);
  },
);

outages.run();
