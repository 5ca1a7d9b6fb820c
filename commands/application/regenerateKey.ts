import { addKey } from '#commands/application/addKey.ts';
import type { NewKey } from '#commands/application/addKey.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { regenerateKey as decide } from '#domain/application/decide.ts';

/**
 * Replaces the only key of an application; the old one opens nothing from now on.
 * @throws NotFound, Unprocessable (not exactly one key), Conflicted, Unavailable
 */
export const regenerateKey = (
  dependencies: CommandDependencies,
  context: CommandContext,
  applicationId: string,
): Promise<Outcome<NewKey>> => addKey(dependencies, context, applicationId, decide);
