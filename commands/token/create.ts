import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { settle } from '#commands/settle.ts';
import { answerOf } from '#commands/token/answer.ts';
import { showExisting } from '#commands/token/deduplicate.ts';
import { prepareTokens } from '#commands/token/prepareTokens.ts';
import type { NewToken } from '#commands/token/prepareTokens.ts';
import type { NewTokenInput } from '#commands/token/prepare.ts';
import { storeTokens } from '#commands/token/storeTokens.ts';
import type { ShownToken } from '#access/showToken.ts';

/**
 * Stores a new token; answers it with its data masked. spec: Create Token
 * @throws ValidationFailed, Forbidden, Conflicted (the id is or was in use), Unavailable
 */
export async function createToken(
  dependencies: CommandDependencies,
  context: CommandContext,
  input: NewTokenInput,
): Promise<Outcome<ShownToken>> {
  const { result, stale } = await createTokens(dependencies, context, [{ input, path: '' }]);
  const [token] = result;
  if (token === undefined) throw new Error('a token was asked for');
  return { result: token, stale };
}

/**
 * Stores new tokens, all or none; answers them in their order. One that is to be deduplicated may turn out to be
 * there already, or to be one of the others.
 * @throws ValidationFailed, Forbidden, Conflicted, Unavailable
 */
export async function createTokens(
  dependencies: CommandDependencies,
  context: CommandContext,
  tokens: readonly NewToken[],
): Promise<Outcome<ShownToken[]>> {
  const prepared = await prepareTokens(dependencies, context, tokens);
  const { stored, position } = await storeTokens(dependencies, context, prepared);
  const answers = await Promise.all(
    stored.map((token) =>
      'existing' in token
        ? showExisting(dependencies, context, token.existing)
        : answerOf(dependencies, context, 'token:create', token.executed, token.prepared),
    ),
  );
  return settle(dependencies, position, answers);
}
