import type { Job } from '#ports/jobs.ts';

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
