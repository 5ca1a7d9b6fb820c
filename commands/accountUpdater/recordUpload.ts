import { loadJob, recordStep } from '#commands/accountUpdater/record.ts';
import type { JobSubject } from '#commands/accountUpdater/record.ts';
import type { CommandDependencies } from '#commands/context.ts';
import { recordUpload as decide } from '#domain/accountUpdater/decide.ts';
import type { JobState } from '#domain/accountUpdater/state.ts';

/**
 * The file of a job is there, and the job is processing. Again is harmless. Answers the job as it is then.
 * @throws NotFound when there is no such job, or no longer; Conflicted, Unavailable
 */
export async function recordUpload(
  dependencies: CommandDependencies,
  subject: JobSubject,
  file: { bytes: number },
): Promise<JobState> {
  const job = await loadJob(dependencies, subject);
  const { state } = await recordStep(dependencies, job, ['uploaded'], (current) => decide(current, file));
  return state;
}
