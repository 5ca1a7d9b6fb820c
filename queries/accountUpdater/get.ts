import { jobStream } from '#domain/accountUpdater/events.ts';
import { shownJob } from '#domain/accountUpdater/shown.ts';
import type { ShownJob } from '#domain/accountUpdater/shown.ts';
import { jobFold } from '#domain/accountUpdater/state.ts';
import { foldStream } from '#domain/fold.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import { jobColumns, jobOf } from '#queries/accountUpdater/row.ts';
import type { JobRow } from '#queries/accountUpdater/row.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';

const byId: KeyedQuery = {
  name: 'account_updater_job_by_id',
  text: `select ${jobColumns} from read_models.account_updater_jobs as job
    where job.tenant_id = tenant.id and job.id = any($2::uuid[])`,
};

/**
 * One job. How far one is that has not ended, its stream tells. spec: Get Account Updater Job
 * @throws NotFound, StoreUnavailable
 */
export async function getJob(
  { readModels, log, clock }: Pick<QueryDependencies, 'readModels' | 'log' | 'clock'>,
  tenantId: string,
  given: string,
): Promise<ShownJob> {
  if (!isUuid(given)) throw new NotFound();
  const id = given.toLowerCase();
  const row = await readModels.row<JobRow>(tenantId, byId, id);
  if (row?.status === 'completed' || row?.status === 'failed') return jobOf(row);
  const state = foldStream(jobFold, await log.readStream(jobStream(tenantId, id)));
  const job = shownJob(state, clock.now().toISOString());
  if (job === undefined) throw new NotFound();
  return job;
}
