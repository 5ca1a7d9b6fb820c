import { isPast } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { transformFor } from '#access/evaluate.ts';
import type { LiveToken, TokenState } from '#domain/token/state.ts';
import { Forbidden, NotFound } from '#src/errors.ts';

/**
 * The token that a command is about to change.
 * @throws NotFound when there is none, or its time has come; Forbidden when the caller may not do this to it
 */
export function liveTokenFor(
  { clock }: Pick<CommandDependencies, 'clock'>,
  context: CommandContext,
  state: TokenState,
  permission: string,
): LiveToken {
  if (state.status !== 'live') throw new NotFound();
  if (state.expiresAt !== undefined && isPast(state.expiresAt, clock)) throw new NotFound();
  if (transformFor(context.rights, permission, state.containers) === undefined) {
    throw new Forbidden(`${permission} is not granted for the containers of this token.`).about(state.id);
  }
  return state;
}
