import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { tokenFold } from '#domain/token/state.ts';
import { liveTokenFor } from '#commands/token/permitted.ts';
import { deleteToken as decide } from '#domain/token/decide.ts';
import { tokenStream } from '#domain/token/events.ts';

/**
 * Deletes a token; a subscriber then removes what the vault holds of it. spec: Delete Token
 * @throws NotFound, Forbidden, Conflicted, Unavailable
 */
export async function deleteToken(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<Outcome<undefined>> {
  const executed = await execute(dependencies, context, {
    stream: tokenStream(context.tenantId, id),
    fold: tokenFold,
    decide: (state) => {
      liveTokenFor(dependencies, context, state, 'token:delete');
      return decide(state);
    },
  });
  return settle(dependencies, executed.position, undefined);
}
