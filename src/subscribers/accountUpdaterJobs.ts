import type { JobEvent } from '#domain/accountUpdater/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Job, JobQueue } from '#ports/jobs.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import { beginJob, chunkJob } from '#src/accountUpdater/queued.ts';

/** Queues what is to be done about request files: each is read as a whole, then chunk by chunk. */
export const accountUpdaterJobs = (queue: JobQueue): Subscriber => ({
  name: 'account_updater_jobs',
  types: ['account-updater.job.uploaded', 'account-updater.job.started'],
  from: 'beginning',
  handle: (events) =>
    queue.add(events.flatMap((event) => jobsOf(event as unknown as RecordedEvent & JobEvent))),
});

function jobsOf({ type, data, metadata: { tenant_id: tenantId } }: RecordedEvent & JobEvent): Job[] {
  const { id } = data;
  if (type === 'account-updater.job.uploaded') {
    return [beginJob(tenantId, id)];
  }
  if (type !== 'account-updater.job.started') return [];
  return data.chunk_offsets.map((_, chunk) => chunkJob(tenantId, id, chunk));
}
