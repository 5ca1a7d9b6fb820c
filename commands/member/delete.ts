import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { deleteMember as decide } from '#domain/member/decide.ts';
import { memberStream } from '#domain/member/events.ts';
import { memberFold } from '#domain/member/state.ts';

/**
 * Removes a member; a subscriber then removes email address and names from the vault.
 * @throws NotFound, Unprocessable (it is an owner), Conflicted, Unavailable
 */
export async function deleteMember(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<Outcome<undefined>> {
  const executed = await execute(dependencies, context, {
    stream: memberStream(context.tenantId, id),
    fold: memberFold,
    decide,
  });
  return settle(dependencies, executed.position, undefined);
}
