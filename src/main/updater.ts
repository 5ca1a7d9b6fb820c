import { createJobRunner } from '#infra/jobs/runner.ts';
import type { JobRunner } from '#infra/jobs/runner.ts';
import { accountUpdaterWork } from '#src/main/accountUpdaterWork.ts';
import type { Composition } from '#src/main/compose.ts';

/** Chunks of one that was killed are free again after two looks for it, in milliseconds. */
const sweepInterval = 500;

/** Does the jobs of the account updater, and nothing else; any number of processes share them. */
export function createUpdater(composition: Composition): JobRunner {
  const { connection, logger } = composition;
  const { tasks } = accountUpdaterWork(composition);
  return createJobRunner({ connection, tasks, logger, sweepInterval });
}
