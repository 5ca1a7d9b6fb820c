import { setTimeout as delay } from 'node:timers/promises';
import { expireJob } from '#commands/accountUpdater/expire.ts';
import { recordUpload } from '#commands/accountUpdater/recordUpload.ts';
import type { CommandDependencies } from '#commands/context.ts';
import type { Logger } from '#ports/logger.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import type { Timer } from '#ports/timer.ts';
import type { WaitingJob, WaitingJobs } from '#ports/waitingJobs.ts';
import { objectKeys } from '#src/accountUpdater/ids.ts';

const atATime = 500;
const sideBySide = 16;
/** A storage may be slow, and other timers wait, in milliseconds. */
const patience = 10_000;

type Dependencies = CommandDependencies & { objects: Pick<ObjectStorage, 'head'>; logger: Logger };

/**
 * Looks whether files have come that jobs wait for: a storage elsewhere tells nobody, and the process that took one
 * in may have died. Jobs whose files did not come in time end.
 */
export const lookForUploads = (dependencies: Dependencies, waiting: WaitingJobs): Timer => ({
  name: 'look_for_uploads',
  schedule: '*/3 * * * * *',
  run: () => Promise.race([lookAtAll(dependencies, waiting), delay(patience, undefined, { ref: false })]),
});

async function lookAtAll(dependencies: Dependencies, waiting: WaitingJobs): Promise<void> {
  let found: WaitingJob[] = [];
  do {
    found = await waiting.find(found.at(-1), atATime);
    for (let start = 0; start < found.length; start += sideBySide) {
      await Promise.all(
        found.slice(start, start + sideBySide).map((job) =>
          lookAt(dependencies, job).catch((error: unknown) => {
            dependencies.logger.warn({ err: error }, 'a file could not be looked for, and is again');
          }),
        ),
      );
    }
  } while (found.length === atATime);
}

async function lookAt(dependencies: Dependencies, job: WaitingJob): Promise<void> {
  const file = await dependencies.objects.head(objectKeys.request(job.tenantId, job.id));
  if (file !== undefined) await recordUpload(dependencies, job, file);
  else if (job.expiresAt <= dependencies.clock.now()) await expireJob(dependencies, job);
}
