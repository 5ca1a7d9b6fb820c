import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { deleteReactor as decide } from '#domain/reactor/decide.ts';
import { reactorStream } from '#domain/reactor/events.ts';
import { reactorFold } from '#domain/reactor/state.ts';

/**
 * Deletes a reactor; a subscriber then removes its configuration from the vault. spec: Delete Reactor
 * @throws NotFound, Conflicted, Unavailable
 */
export async function deleteReactor(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<Outcome<undefined>> {
  const executed = await execute(dependencies, context, {
    stream: reactorStream(context.tenantId, id),
    fold: reactorFold,
    trustsAnything: true,
    decide,
  });
  return settle(dependencies, executed.position, undefined);
}
