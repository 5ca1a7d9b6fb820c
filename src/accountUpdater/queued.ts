import type { JobState } from '#domain/accountUpdater/state.ts';
import type { Job } from '#ports/jobs.ts';

/** The job that reads the file of an account updater job. */
export const beginJob = (tenantId: string, id: string): Job => ({
  task: 'begin_update',
  tenantId,
  id,
  key: `begin update ${id}`,
});

/** The job that does one chunk of an account updater job. */
export const chunkJob = (tenantId: string, id: string, chunk: number): Job => ({
  task: 'update_chunk',
  tenantId,
  id: `${id}/${chunk}`,
  key: `update ${id}/${chunk}`,
});

/** What {@link chunkJob} named. */
export function chunkNamed(name: string): { id: string; chunk: number } {
  const [id = '', chunk = ''] = name.split('/');
  return { id, chunk: Number(chunk) };
}

/** What is still to be done about a job that is processing. */
export function jobsLeft(state: JobState, { tenantId, id }: { tenantId: string; id: string }): Job[] {
  if (state.status !== 'processing') return [];
  if (state.work === undefined) return [beginJob(tenantId, id)];
  const left = state.work.chunks.flatMap(({ status }, chunk) => (status === 'completed' ? [] : [chunk]));
  // All are completed, and nobody has ended the job.
  if (left.length === 0) return [beginJob(tenantId, id)];
  return left.map((chunk) => chunkJob(tenantId, id, chunk));
}
