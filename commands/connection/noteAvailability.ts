import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { noteAvailability as decide } from '#domain/connection/decide.ts';
import type { CredentialsCheck } from '#domain/connection/decide.ts';
import { connectionStream } from '#domain/connection/events.ts';
import { connectionFold } from '#domain/connection/state.ts';

/** Notes what a check of the credentials found. @throws Conflicted, Unavailable */
export async function noteAvailability(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  check: CredentialsCheck,
): Promise<void> {
  await execute(dependencies, context, {
    stream: connectionStream(context.tenantId, id),
    fold: connectionFold,
    decide: (state) => decide(state, check),
  });
}
