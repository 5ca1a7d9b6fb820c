import { isPast } from '#src/expiry.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { expireSession as decide } from '#domain/session/decide.ts';
import { sessionStream } from '#domain/session/events.ts';
import { sessionFold } from '#domain/session/state.ts';

/** Ends a session whose time has come; otherwise does nothing. */
export async function expireSession(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<void> {
  await execute(dependencies, context, {
    stream: sessionStream(context.tenantId, id),
    fold: sessionFold,
    trustsAnything: true,
    decide: (state) =>
      state.status === 'live' && isPast(state.expiresAt, dependencies.clock) ? decide(state) : [],
  });
}
