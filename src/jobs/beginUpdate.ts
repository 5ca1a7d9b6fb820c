import { loadJob } from '#commands/accountUpdater/record.ts';
import type { Task } from '#ports/jobs.ts';
import { beginJob } from '#src/accountUpdater/begin.ts';
import type { UpdaterDependencies } from '#src/accountUpdater/dependencies.ts';
import { finish, isReady } from '#src/accountUpdater/finish.ts';
import { unlessErased } from '#src/jobs/patiently.ts';

export type BeginSettings = { concurrency: number; concurrencyOfTenant: number };

/** Reads the file of a job to its end; its chunks are other jobs. */
export const beginUpdate = (dependencies: UpdaterDependencies, settings: BeginSettings): Task => ({
  name: 'begin_update',
  ...settings,
  run: (subject) =>
    unlessErased(async () => {
      const loaded = await loadJob(dependencies, subject);
      if (loaded.state.status !== 'processing') return;
      const job = loaded.state.work === undefined ? await beginJob(dependencies, loaded) : loaded;
      const { state } = job;
      // A file without rows, or one whose chunks are all done and whose end was missed.
      if (state.status === 'processing' && state.work !== undefined && isReady(state.work)) {
        await finish(dependencies, job, state.work);
      }
    }),
});
