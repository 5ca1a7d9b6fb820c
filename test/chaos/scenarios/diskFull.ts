import { setTimeout as sleep } from 'node:timers/promises';
import { setStage } from '#test/chaos/support/stage.ts';
import type { Outcome } from '#test/chaos/support/stage.ts';
import { mountSmallDisk } from '#test/chaos/support/smallDisk.ts';
import { createOne } from '#test/chaos/workloads/tokens.ts';
import { startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

/** Holds PostgreSQL's programs and a cluster, and some of its log. */
const megabytes = 640;

/** In milliseconds. */
export type DiskFullResult = Outcome & {
  /** Acknowledged while the disk was full: what was on its way, and what still fitted into files that were there. */
  whileFull: number;
  /** Until a write was acknowledged after there was room again. */
  recovery: number;
};

/** The disk under the data directory is full for a while, under load. */
export async function runDiskFull({
  milliseconds,
  seed,
}: {
  milliseconds: number;
  seed: number;
}): Promise<DiskFullResult> {
  const stage = await setStage(seed);
  const disk = await mountSmallDisk(megabytes);
  try {
    const service = await startService(disk.directory, stage.settings);
    try {
      const { world, ...play } = await stage.open(() => service.url, service.credentials);
      const load = play.load(12);
      await sleep(1_500);
      await disk.fill();
      const before = world.ledger.acknowledged;
      await sleep(milliseconds);
      const whileFull = world.ledger.acknowledged - before;
      await disk.empty();
      const began = performance.now();
      await until(() => createOne(world), 60_000);
      const recovery = performance.now() - began;
      await sleep(1_000);
      await load.stop();
      await play.verify();
      return { ...play.outcome(), whileFull, recovery };
    } finally {
      await service.end();
    }
  } finally {
    await disk.unmount();
    await stage.close();
  }
}
