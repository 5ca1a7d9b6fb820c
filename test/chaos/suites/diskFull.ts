import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runDiskFull } from '#test/chaos/scenarios/diskFull.ts';
import { runUploadsDiskFull } from '#test/chaos/scenarios/uploadsDiskFull.ts';
import { cannotMount } from '#test/chaos/support/smallDisk.ts';

/** Fills disks for so long; longer by `npm run chaos`. */
export function testDiskFull(milliseconds: number): void {
  const disks = suite('a disk that is full for a while');
  const seed = Date.now();

  const obstacle = cannotMount();
  const onSmallDisk = obstacle === undefined ? disks : disks.skip;
  onSmallDisk(
    `given load, when the disk is full, then nothing is acknowledged that is not kept, and all goes on when there is room (${obstacle ?? 'on a tmpfs'})`,
    async () => {
      const { verdict } = await runDiskFull({ milliseconds, seed });
      assert.equal(verdict.faults, []);
    },
  );

  onSmallDisk(
    `given files coming in, when their disk is full, then none is acknowledged that is not kept, and all goes on when there is room (${obstacle ?? 'on a tmpfs'})`,
    async () => {
      const { verdict, refused } = await runUploadsDiskFull({ milliseconds });
      assert.equal(verdict.faults, []);
      assert.ok(refused > 0);
    },
  );

  disks.run();
}
