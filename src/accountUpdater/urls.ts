import type { ShownJob } from '#domain/accountUpdater/shown.ts';
import type { Clock } from '#ports/clock.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import { mostBytesOfRequest, objectKeys } from '#src/accountUpdater/ids.ts';

/** Where the files of a job are sent to and fetched from; those that its state allows. */
export type JobUrls = { upload?: string; download?: string };

/** How long a result can be fetched by a URL, in milliseconds; the next look at the job answers a fresh one. */
const downloadWindow = 3_600_000;

export async function urlsOf(
  { objects, clock }: { objects: ObjectStorage; clock: Clock },
  job: ShownJob,
): Promise<JobUrls> {
  const { tenantId, id } = job;
  if (job.status === 'pending') {
    const limits = { expiresAt: new Date(job.expiresAt), mostBytes: mostBytesOfRequest };
    return { upload: await objects.uploadUrl(objectKeys.request(tenantId, id), limits) };
  }
  if (job.status !== 'completed') return {};
  const expiresAt = new Date(clock.now().getTime() + downloadWindow);
  return { download: await objects.downloadUrl(objectKeys.result(tenantId, id), { expiresAt }) };
}
