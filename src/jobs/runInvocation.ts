import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { beginInvocation } from '#commands/invocation/begin.ts';
import { endInvocation } from '#commands/invocation/end.ts';
import type { HowItEnded } from '#commands/invocation/end.ts';
import { loadInvocation } from '#commands/invocation/load.ts';
import type { OpenInvocation } from '#domain/invocation/state.ts';
import type { Task } from '#ports/jobs.ts';
import { patiently, unlessErased } from '#src/jobs/patiently.ts';
import { derivedId } from '#src/identifiers.ts';
import type { PreparedInvocation, ReactorAnswer, Reactors } from '#src/reactors/invocation.ts';
import { isProblem } from '#src/reactors/content.ts';
import { keptIn } from '#src/reactors/kept.ts';
import { phraseOf, runtimeError } from '#src/reactors/problems.ts';
import { readPayload } from '#src/payloads.ts';
import { invocationStream } from '#domain/invocation/events.ts';

const interrupted = runtimeError(
  'The service was interrupted during the run. The code may have run, in part or whole, and is not run again.',
);
const tooLate = runtimeError(
  'The arguments are kept for 24 hours, with a security code for as long as that is, and have not been run in that time.',
);
const wentWrong = runtimeError('The service failed during the run. The code may have run.');

export type RunSettings = {
  reactors: Pick<Reactors, 'run'>;
  /** Of one run, in milliseconds. */
  timeLimit: number;
  concurrency: number;
  concurrencyOfTenant: number;
};

/** Runs an invocation once. One that was begun before is not run again: the code may have charged somebody. */
export const runInvocation = (dependencies: CommandDependencies, settings: RunSettings): Task => ({
  name: 'run_invocation',
  concurrency: settings.concurrency,
  concurrencyOfTenant: settings.concurrencyOfTenant,
  run: (subject) =>
    unlessErased(async () => {
      const { state, context } = await loadInvocation(dependencies, subject);
      const end = (how: HowItEnded): Promise<void> =>
        patiently(() => endInvocation(dependencies, context, subject.id, how));
      if (state.status === 'running') await end(unfinished(interrupted, 'interrupted'));
      if (state.status !== 'pending') return;
      const prepared = await argumentsOf(dependencies, subject, state);
      if (prepared === undefined) {
        await end(unfinished(tooLate, 'too_late'));
      } else if (await beginInvocation(dependencies, context, subject.id)) {
        const outcome = await timed(settings, prepared);
        await patiently(() => endInvocation(dependencies, afterwards(context), subject.id, outcome));
      }
    }),
});

/** The command that ends a run is another one than that which began it. */
const afterwards = (context: CommandContext): CommandContext => ({
  ...context,
  commandId: derivedId(context.commandId, 'end'),
});

async function argumentsOf(
  { vault }: CommandDependencies,
  { tenantId, id }: { tenantId: string; id: string },
  { argsPayloadId }: OpenInvocation,
): Promise<PreparedInvocation | undefined> {
  const reference = { id: argsPayloadId, stream: invocationStream(tenantId, id) };
  const payload = await readPayload(vault, tenantId, reference);
  return (await keptIn(payload)) as PreparedInvocation | undefined;
}

async function timed(
  { reactors, timeLimit }: RunSettings,
  prepared: PreparedInvocation,
): Promise<HowItEnded> {
  const startedAt = performance.now();
  const answer = await reactors
    .run(prepared, { milliseconds: timeLimit, patient: true })
    .catch((): ReactorAnswer => wentWrong);
  return {
    answer,
    elapsedMilliseconds: Math.round(performance.now() - startedAt),
    failure: isProblem(answer) ? { reason: 'code', error: phraseOf(answer.status) } : undefined,
    shortLivedSince: prepared.shortLivedSince,
  };
}

const unfinished = (answer: ReactorAnswer, reason: 'interrupted' | 'too_late'): HowItEnded => ({
  answer,
  elapsedMilliseconds: 0,
  failure: { reason, error: phraseOf(answer.status) },
});
