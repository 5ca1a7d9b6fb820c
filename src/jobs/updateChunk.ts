import { loadJob } from '#commands/accountUpdater/record.ts';
import type { LoadedJob } from '#commands/accountUpdater/record.ts';
import { progressOf } from '#domain/accountUpdater/shown.ts';
import type { Work } from '#domain/accountUpdater/state.ts';
import type { JobQueue, Task } from '#ports/jobs.ts';
import { chunkJob, chunkNamed } from '#src/accountUpdater/queued.ts';
import { getTenant } from '#queries/tenant/get.ts';
import type { UpdaterDependencies } from '#src/accountUpdater/dependencies.ts';
import { finish, isReady } from '#src/accountUpdater/finish.ts';
import { updateChunk as update } from '#src/accountUpdater/updateChunk.ts';
import { NotFound } from '#src/errors.ts';
import { unlessErased } from '#src/jobs/patiently.ts';

export type ChunkSettings = {
  queue: JobQueue;
  concurrency: number;
  concurrencyOfTenant: number;
};

/** Does a chunk of a job; whoever does the last one ends the job. */
export const updateChunk = (
  dependencies: UpdaterDependencies,
  { queue, ...settings }: ChunkSettings,
): Task => ({
  name: 'update_chunk',
  ...settings,
  run: ({ tenantId, id: name }) =>
    unlessErased(async () => {
      const { id, chunk } = chunkNamed(name);
      const job = await loadJob(dependencies, { tenantId, id });
      const work = workOf(job);
      const tenant = await ifThere(getTenant(dependencies, tenantId));
      if (work === undefined || tenant === undefined) return;
      const done = await doUnlessDone(dependencies, { job, work, chunk, tenant });
      if (done.status === 'pending') {
        const again = chunkJob(tenantId, id, chunk);
        const at = dependencies.clock.now().getTime();
        await queue.add([{ ...again, key: `${again.key} again ${at}`, delay: done.milliseconds }]);
        return;
      }
      const after = workOf(done.job);
      if (after === undefined) return;
      report(dependencies, done.job, work, after);
      if (isReady(after)) await finish(dependencies, done.job, after);
    }),
});

type Doing = Omit<Parameters<typeof update>[1], 'tenantSettings'> & {
  tenant: { settings: Readonly<Record<string, string>> };
};

const doUnlessDone = async (
  dependencies: UpdaterDependencies,
  { tenant, ...doing }: Doing,
): ReturnType<typeof update> =>
  doing.work.chunks[doing.chunk]?.status === 'completed'
    ? { status: 'completed', job: doing.job }
    : update(dependencies, { ...doing, tenantSettings: tenant.settings });

const workOf = ({ state }: LoadedJob): Work | undefined =>
  state.status === 'processing' ? state.work : undefined;

/** At every tenth of the way. */
function report({ logger }: UpdaterDependencies, { subject }: LoadedJob, before: Work, after: Work): void {
  const { rows, processed } = progressOf(after);
  const tenths = (count: number): number => Math.floor((count * 10) / rows);
  if (tenths(processed) === tenths(progressOf(before).processed)) return;
  const fields = { job_id: subject.id, tenant_id: subject.tenantId, rows, processed };
  logger.info(fields, 'an account updater job goes on');
}

async function ifThere<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
