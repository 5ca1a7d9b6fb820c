import { FaultList } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { checkClearText } from '#commands/token/checkClearText.ts';
import { prepareToken } from '#commands/token/prepare.ts';
import type { NewTokenInput, PreparedToken } from '#commands/token/prepare.ts';
import { tokenTypeNamed } from '#domain/token/types/index.ts';
import { ValidationFailed } from '#src/errors.ts';
import type { Faults } from '#src/errors.ts';

/** A token to be, and where the request asks for it: its path comes before every path in an error. */
export type NewToken = { input: NewTokenInput; path: string };

/** Only of what a request gives: tokens that are made of others keep what those have. @throws ValidationFailed */
function checkInput(context: CommandContext, input: NewTokenInput, path: string): void {
  const faults = new FaultList();
  const secrets = tokenTypeNamed(input.type)?.secrets(input.data) ?? [];
  checkClearText(context, input, secrets, (attribute) => path + attribute, faults);
  if (faults.any) throw new ValidationFailed(faults.faults);
}

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
      checkInput(context, input, path);
      prepared.push(await prepareToken(dependencies, context, input, path, `token ${index}`));
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      Object.assign(faults, error.faults);
    }
  }
  if (Object.keys(faults).length > 0) throw new ValidationFailed(faults);
  return prepared;
}
