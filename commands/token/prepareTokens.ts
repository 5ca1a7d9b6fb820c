import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { prepareToken } from '#commands/token/prepare.ts';
import type { NewTokenInput, PreparedToken } from '#commands/token/prepare.ts';
import { ValidationFailed } from '#src/errors.ts';
import type { Faults } from '#src/errors.ts';

/** A token to be, and where the request asks for it: its path comes before every path in an error. */
export type NewToken = { input: NewTokenInput; path: string };

/** @throws ValidationFailed with the faults of all, Forbidden */
export async function prepareTokens(
  dependencies: CommandDependencies,
  context: CommandContext,
  tokens: readonly NewToken[],
): Promise<PreparedToken[]> {
  const prepared: PreparedToken[] = [];
  const faults: Faults = {};
  for (const [index, { input, path }] of tokens.entries()) {
    try {
      prepared.push(await prepareToken(dependencies, context, input, path, `token ${index}`));
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      Object.assign(faults, error.faults);
    }
  }
  if (Object.keys(faults).length > 0) throw new ValidationFailed(faults);
  return prepared;
}
