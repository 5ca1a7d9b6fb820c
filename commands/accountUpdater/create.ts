import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { createJob as decide } from '#domain/accountUpdater/decide.ts';
import { jobStream } from '#domain/accountUpdater/events.ts';
import { jobFold } from '#domain/accountUpdater/state.ts';
import type { JobState } from '#domain/accountUpdater/state.ts';
import { resourceId } from '#src/identifiers.ts';

/** How long a job waits for its file, in milliseconds. spec: Limits */
const uploadWindow = 3_600_000;

/**
 * Creates an account updater job, which waits for its file. spec: Create Account Updater Job
 * @throws Conflicted, Unavailable
 */
export async function createJob(
  dependencies: CommandDependencies,
  context: CommandContext,
): Promise<Outcome<JobState>> {
  const { tenantId, commandId } = context;
  const id = resourceId(commandId, 'account updater job');
  const now = dependencies.clock.now();
  const expiresAt = new Date(now.getTime() + uploadWindow).toISOString();
  // It is created at this moment, and not at the next one.
  const executed = await execute({ ...dependencies, clock: { now: () => now } }, context, {
    stream: jobStream(tenantId, id),
    fold: jobFold,
    expectNew: true,
    decide: (state) => decide(state, { id, expiresAt }),
  });
  return settle(dependencies, executed.position, executed.state);
}
