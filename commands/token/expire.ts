import { isPast } from '#src/expiry.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { tokenFold } from '#domain/token/state.ts';
import { expireToken as decide } from '#domain/token/decide.ts';
import { tokenStream } from '#domain/token/events.ts';

/** Ends a token whose time has come; otherwise does nothing. spec: Token expiration */
export async function expireToken(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<void> {
  await execute(dependencies, context, {
    stream: tokenStream(context.tenantId, id),
    fold: tokenFold,
    decide: (state) => decide(state, (expiresAt) => isPast(expiresAt, dependencies.clock)),
  });
}
