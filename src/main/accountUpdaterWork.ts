import { createJobQueue } from '#infra/jobs/queue.ts';
import { createWaitingJobs } from '#infra/postgres/waitingJobs.ts';
import type { Task } from '#ports/jobs.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Timer } from '#ports/timer.ts';
import { beginUpdate } from '#src/jobs/beginUpdate.ts';
import { updateChunk } from '#src/jobs/updateChunk.ts';
import type { Composition } from '#src/main/compose.ts';
import { lookForUploads, resumeUpdates } from '#src/timers/accountUpdater.ts';
import { accountUpdaterJobs } from '#subscribers/accountUpdaterJobs.ts';
import { accountUpdaterRemoval } from '#subscribers/accountUpdaterRemoval.ts';

const begins = { concurrency: 2, concurrencyOfTenant: 1 };
const chunks = { concurrency: 3, concurrencyOfTenant: 2 };

export type AccountUpdaterWork = {
  subscribers: readonly Subscriber[];
  tasks: readonly Task[];
  timers: readonly Timer[];
};

/** What a worker does for the account updater. */
export function accountUpdaterWork(composition: Composition): AccountUpdaterWork {
  const { pools, objectTimers } = composition;
  const queue = createJobQueue(pools.owner);
  const waiting = createWaitingJobs(pools.owner);
  return {
    subscribers: [accountUpdaterJobs(queue), accountUpdaterRemoval(composition)],
    tasks: [beginUpdate(composition, begins), updateChunk(composition, { ...chunks, queue })],
    timers: [
      lookForUploads(composition, waiting),
      resumeUpdates(composition, waiting, queue),
      ...objectTimers,
    ],
  };
}
