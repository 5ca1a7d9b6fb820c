import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { recordAttempt as decide } from '#domain/invocation/decide.ts';
import type { Attempt } from '#domain/invocation/decide.ts';
import { invocationStream } from '#domain/invocation/events.ts';
import { invocationFold } from '#domain/invocation/state.ts';

/** Records how an attempt to send an answer ended. @throws Conflicted, Unavailable */
export async function recordAttempt(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  attempt: Attempt,
): Promise<void> {
  await execute(dependencies, context, {
    stream: invocationStream(context.tenantId, id),
    fold: invocationFold,
    decide: (state) => decide(state, attempt),
  });
}
