import { execute } from '#commands/execute.ts';
import type { Executed } from '#commands/execute.ts';
import { loadStream } from '#commands/stream.ts';
import type { LoadedStream } from '#commands/stream.ts';
import { systemContext } from '#commands/systemContext.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { jobStream } from '#domain/accountUpdater/events.ts';
import type { JobEvent } from '#domain/accountUpdater/events.ts';
import { jobFold } from '#domain/accountUpdater/state.ts';
import type { JobState } from '#domain/accountUpdater/state.ts';
import type { Decision } from '#domain/event.ts';
import { derivedId } from '#src/identifiers.ts';

export type JobSubject = { tenantId: string; id: string };

/** A job as its stream tells, and what its steps are recorded by. */
export type LoadedJob = Pick<LoadedStream<JobState>, 'state' | 'revision' | 'last'> & {
  subject: JobSubject;
  context: CommandContext;
};

const actor = { type: 'system', id: 'account updater' } as const;

/** A job that does not exist is `absent`. */
export async function loadJob(
  { log }: Pick<CommandDependencies, 'log'>,
  subject: JobSubject,
): Promise<LoadedJob> {
  const { state, revision, last } = await loadStream(log, jobStream(subject.tenantId, subject.id), jobFold);
  const context = systemContext(subject.tenantId, actor);
  const traceId = last?.metadata.trace_id ?? context.traceId;
  return { subject, state, revision, last, context: { ...context, traceId } };
}

/**
 * Records a step of a job, once: done again, after a crash or by two at a time, it is recognised.
 * @param step names it among the steps of the job
 * @throws NotFound, Unprocessable as the decision refuses; Conflicted, Unavailable
 */
export const recordStep = (
  dependencies: CommandDependencies,
  { subject: { tenantId, id }, context, state, revision }: LoadedJob,
  step: readonly (string | number)[],
  decide: (state: JobState) => Decision<JobEvent>,
): Promise<Executed<JobState>> =>
  execute(
    dependencies,
    { ...context, commandId: derivedId(id, ...step) },
    { stream: jobStream(tenantId, id), fold: jobFold, known: { state, revision }, decide },
  );
