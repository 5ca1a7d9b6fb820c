import { addKey } from '#commands/application/addKey.ts';
import type { NewKey } from '#commands/application/addKey.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { createKey as decide } from '#domain/application/decide.ts';

/**
 * Adds a key to an application.
 * @param given a key made beforehand; without one, a new key is made
 * @throws NotFound, Unprocessable (three keys already), Conflicted, Unavailable
 */
export const createKey = (
  dependencies: CommandDependencies,
  context: CommandContext,
  applicationId: string,
  given?: string,
): Promise<Outcome<NewKey>> => addKey(dependencies, context, applicationId, decide, given);
