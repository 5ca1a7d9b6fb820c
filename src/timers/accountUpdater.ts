import { setTimeout as delay } from 'node:timers/promises';
import { expireJob } from '#commands/accountUpdater/expire.ts';
import { recordUpload } from '#commands/accountUpdater/recordUpload.ts';
import { loadJob } from '#commands/accountUpdater/record.ts';
import type { CommandDependencies } from '#commands/context.ts';
import type { JobQueue } from '#ports/jobs.ts';
import type { Logger } from '#ports/logger.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import type { Timer } from '#ports/timer.ts';
import type { WaitingJob, WaitingJobs } from '#ports/waitingJobs.ts';
import { jobsLeft } from '#src/accountUpdater/queued.ts';
import { objectKeys } from '#src/accountUpdater/ids.ts';

const atATime = 500;
const sideBySide = 16;
/** A storage may be slow, and other timers wait, in milliseconds. */
const patience = 10_000;

/** In milliseconds. */
const stalledAfter = 24 * 3_600_000;

type Dependencies = CommandDependencies & { objects: Pick<ObjectStorage, 'head'>; logger: Logger };

/**
 * Looks whether files have come that jobs wait for: a storage elsewhere tells nobody, and the process that took one
 * in may have died. Jobs whose files did not come in time end.
 */
export const lookForUploads = (dependencies: Dependencies, waiting: WaitingJobs): Timer => ({
  name: 'look_for_uploads',
  schedule: '*/3 * * * * *',
  run: () =>
    Promise.race([
      inTurns(dependencies, waiting, 'pending', (job) => lookAt(dependencies, job)),
      delay(patience, undefined, { ref: false }),
    ]),
});

/**
 * Queues again what is to be done about jobs that have not moved for a day: a queue gives a job up after some attempts,
 * and networks that were away for long may be back.
 */
export const resumeUpdates = (dependencies: Dependencies, waiting: WaitingJobs, queue: JobQueue): Timer => ({
  name: 'resume_updates',
  schedule: '23 * * * *',
  run: () =>
    inTurns(dependencies, waiting, 'processing', async (subject) => {
      const { state, last } = await loadJob(dependencies, subject);
      const now = dependencies.clock.now().getTime();
      if (last === undefined || now - Date.parse(last.metadata.occurred_at) < stalledAfter) return;
      const day = Math.floor(now / stalledAfter);
      await queue.add(jobsLeft(state, subject).map((job) => ({ ...job, key: `${job.key} on day ${day}` })));
    }),
});

async function inTurns(
  { logger }: Dependencies,
  waiting: WaitingJobs,
  status: 'pending' | 'processing',
  work: (job: WaitingJob) => Promise<void>,
): Promise<void> {
  let found: WaitingJob[] = [];
  do {
    found = await waiting.find(status, found.at(-1), atATime);
    for (let start = 0; start < found.length; start += sideBySide) {
      await Promise.all(
        found.slice(start, start + sideBySide).map((job) =>
          work(job).catch((error: unknown) => {
            logger.warn({ err: error, job_id: job.id }, 'a job could not be looked at, and is again');
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
