import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { begin } from '#domain/invocation/decide.ts';
import { invocationStream } from '#domain/invocation/events.ts';
import { invocationFold } from '#domain/invocation/state.ts';

/**
 * Takes an invocation for the one run that it has.
 * @returns false: somebody else has, and it must not be run
 * @throws Conflicted, Unavailable: it may be taken, and must not be run either
 */
export async function beginInvocation(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<boolean> {
  const { position } = await execute(dependencies, context, {
    stream: invocationStream(context.tenantId, id),
    fold: invocationFold,
    decide: begin,
  });
  return position !== undefined;
}
