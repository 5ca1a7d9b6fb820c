import { liveApplication } from '#commands/application/live.ts';
import { applicationFold } from '#domain/application/state.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { deleteKey as decide } from '#domain/application/decide.ts';
import { applicationStream } from '#domain/application/events.ts';

/**
 * Revokes one key of an application.
 * @throws NotFound, Conflicted, Unavailable
 */
export async function deleteKey(
  dependencies: CommandDependencies,
  context: CommandContext,
  applicationId: string,
  keyId: string,
): Promise<Outcome<undefined>> {
  const executed = await execute(dependencies, context, {
    stream: applicationStream(context.tenantId, applicationId),
    fold: applicationFold,
    decide: (state) => {
      liveApplication(state, dependencies.clock);
      return decide(state, keyId);
    },
  });
  return settle(dependencies, executed.position, undefined);
}
