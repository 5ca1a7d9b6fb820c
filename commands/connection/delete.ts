import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { deleteConnection as decide } from '#domain/connection/decide.ts';
import { connectionStream } from '#domain/connection/events.ts';
import { connectionFold } from '#domain/connection/state.ts';

/**
 * Deletes a connection: nothing new is paid through it. Its fields are kept until what is under way has ended, so that
 * no charge is lost track of. spec: Delete Connection
 * @throws NotFound, Conflicted, Unavailable
 */
export async function deleteConnection(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<Outcome<undefined>> {
  const executed = await execute(dependencies, context, {
    stream: connectionStream(context.tenantId, id),
    fold: connectionFold,
    decide,
  });
  return settle(dependencies, executed.position, undefined);
}
