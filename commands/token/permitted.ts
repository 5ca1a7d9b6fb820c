import { hasExpired } from '#src/expiry.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { containersDenied } from '#access/evaluate.ts';
import type { Target } from '#access/evaluate.ts';
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
  if (hasExpired(state, clock)) throw new NotFound();
  try {
    requirePermission(context, permission, state);
  } catch (error) {
    throw error instanceof Forbidden ? error.about(state.id) : error;
  }
  return state;
}

/**
 * What is changed must be granted in every container that it lies in, or will: who holds only one of them could
 * take it out of the others.
 * @throws Forbidden
 */
export function requirePermission({ rights }: CommandContext, permission: string, target: Target): void {
  const denied = containersDenied(rights, permission, target);
  if (denied.length === 0) return;
  throw new Forbidden(`${permission} is not granted for this token in ${denied.join(', ')}.`);
}
