import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { forgetConnection as decide } from '#domain/connection/decide.ts';
import { connectionStream } from '#domain/connection/events.ts';
import { connectionFold } from '#domain/connection/state.ts';

/**
 * Lets go of what was kept of a deleted connection; a subscriber then removes its fields from the vault.
 * @throws Conflicted, Unavailable
 */
export async function forgetConnection(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<void> {
  await execute(dependencies, context, {
    stream: connectionStream(context.tenantId, id),
    fold: connectionFold,
    decide,
  });
}
