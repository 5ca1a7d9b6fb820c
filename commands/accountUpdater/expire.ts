import { loadJob, recordStep } from '#commands/accountUpdater/record.ts';
import type { JobSubject } from '#commands/accountUpdater/record.ts';
import type { CommandDependencies } from '#commands/context.ts';
import { expireJob as decide } from '#domain/accountUpdater/decide.ts';

/**
 * Ends a job whose file did not come in time; one that is not due, or has its file, is left alone.
 * @throws Conflicted, Unavailable
 */
export async function expireJob(dependencies: CommandDependencies, subject: JobSubject): Promise<void> {
  const job = await loadJob(dependencies, subject);
  const now = dependencies.clock.now().toISOString();
  await recordStep(dependencies, job, ['expired'], (state) => decide(state, now));
}
