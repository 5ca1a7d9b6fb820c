import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { createTokens } from '#commands/token/create.ts';
import type { NewTokenInput } from '#commands/token/prepare.ts';
import { planTokenization } from '#commands/token/tokenization.ts';
import type { Tokenizable } from '#commands/token/tokenization.ts';
import type { ShownToken } from '#access/showToken.ts';
import { presentToken } from '#http/presenters/token.ts';
import { emptiesReader } from '#http/request/empties.ts';
import { CreateToken } from '#http/schemas/token.ts';
import { addFault, noFaults, refuseIfAny } from '#http/validation/faults.ts';
import { compileValidator } from '#http/validation/validator.ts';
import type { Json } from '#ports/json.ts';

const dropEmpties = emptiesReader(CreateToken, 'null');
const check = compileValidator(CreateToken);

/** The tokens that were made, and how they are shown in the shape of what was asked for. */
export type Tokenized = {
  outcome: Outcome<ShownToken[]>;
  present(tokens: readonly ShownToken[]): Json;
};

/**
 * Creates the tokens of any JSON, all or none. spec: Tokenize
 * @throws ValidationFailed, Forbidden, Conflicted, Unavailable
 */
export async function tokenizeJson(
  dependencies: CommandDependencies,
  context: CommandContext,
  value: Json,
): Promise<Tokenized> {
  const { tokens, assemble } = planTokenization(value);
  const outcome = await createTokens(dependencies, context, checked(tokens));
  return { outcome, present: (all) => assemble(all, (token) => presentToken(token) as Json) };
}

/** @throws ValidationFailed with the faults of all */
function checked(tokens: readonly Tokenizable[]): { input: NewTokenInput; path: string }[] {
  const all = noFaults();
  const inputs = tokens.map(({ path, request }) => {
    const prefix = path === '' ? '' : `${path}.`;
    const faults = noFaults();
    dropEmpties?.(request);
    check(request, faults);
    for (const [at, messages] of Object.entries(faults)) {
      for (const message of messages) addFault(all, prefix + at, message);
    }
    return { input: request as NewTokenInput, path: prefix };
  });
  refuseIfAny(all);
  return inputs;
}
