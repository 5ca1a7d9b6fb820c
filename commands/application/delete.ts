import { hasExpired } from '#src/expiry.ts';
import { liveApplication } from '#commands/application/live.ts';
import { applicationFold } from '#domain/application/state.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { deleteApplication as decide } from '#domain/application/decide.ts';
import { applicationStream } from '#domain/application/events.ts';

/**
 * Deletes an application: its keys open nothing from then on.
 * @throws NotFound, Conflicted, Unavailable
 */
export async function deleteApplication(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<Outcome<undefined>> {
  const executed = await execute(dependencies, context, {
    stream: applicationStream(context.tenantId, id),
    fold: applicationFold,
    trustsAnything: true,
    decide: (state) => {
      liveApplication(state, dependencies.clock);
      return decide(state, 'requested');
    },
  });
  return settle(dependencies, executed.position, undefined);
}

/** Deletes an application whose time has come; otherwise does nothing. spec: Application, expires_at */
export async function expireApplication(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<void> {
  await execute(dependencies, context, {
    stream: applicationStream(context.tenantId, id),
    fold: applicationFold,
    trustsAnything: true,
    decide: (state) =>
      state.status === 'live' && hasExpired(state, dependencies.clock) ? decide(state, 'expired') : [],
  });
}
