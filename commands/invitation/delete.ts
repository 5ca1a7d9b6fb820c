import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { deleteInvitation as decide } from '#domain/invitation/decide.ts';
import { invitationStream } from '#domain/invitation/events.ts';
import { invitationFold } from '#domain/invitation/state.ts';

/**
 * Takes an invitation back; a subscriber then removes the email address from the vault.
 * @throws NotFound, Conflicted, Unavailable
 */
export async function deleteInvitation(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<Outcome<undefined>> {
  const executed = await execute(dependencies, context, {
    stream: invitationStream(context.tenantId, id),
    fold: invitationFold,
    decide,
  });
  return settle(dependencies, executed.position, undefined);
}
