import type { ShownJob } from '#domain/accountUpdater/shown.ts';
import { jobColumns, jobOf } from '#queries/accountUpdater/row.ts';
import type { JobRow } from '#queries/accountUpdater/row.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import type { Place } from '#queries/token/filter.ts';

/** Some jobs of the list, and where to go on; `next` is undefined at its end. */
export type JobStretch = { items: ShownJob[]; next: Place | undefined };

const jobs = {
  name: 'account_updater_jobs',
  text: `select ${jobColumns} from read_models.account_updater_jobs as job
    where job.tenant_id = tenant.id and not (job.status = 'pending' and job.expires_at <= $2)
      and ($3::timestamptz is null or (job.created_at, job.ordinal) < ($3, $4::int8))
    order by job.created_at desc, job.ordinal desc limit $5`,
};

/**
 * The jobs after a place in the list, newest first; those whose file did not come in time are none.
 * spec: List Account Updater Jobs @throws StoreUnavailable
 */
export async function listJobs(
  { readModels, clock }: Pick<QueryDependencies, 'readModels' | 'clock'>,
  tenantId: string,
  { start, size }: { start: Place | undefined; size: number },
): Promise<JobStretch> {
  const place = [start?.createdAt ?? null, start?.ordinal ?? null];
  const found = await readModels.rows<JobRow>(tenantId, jobs, [clock.now(), ...place, size + 1]);
  const last = found.length > size ? found.at(size - 1) : undefined;
  return {
    items: found.slice(0, size).map(jobOf),
    next: last && { createdAt: last.created_at.toISOString(), ordinal: last.ordinal },
  };
}
