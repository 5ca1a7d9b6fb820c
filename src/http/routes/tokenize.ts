import Type from 'typebox';
import { createTokens } from '#commands/token/create.ts';
import type { NewTokenInput } from '#commands/token/prepare.ts';
import { planTokenization } from '#commands/token/tokenization.ts';
import type { Tokenizable } from '#commands/token/tokenization.ts';
import { presentToken } from '#http/presenters/token.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answerTokens, commandContext, reader } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { CreateToken } from '#http/schemas/token.ts';
import { addFault, noFaults, refuseIfAny } from '#http/validation/faults.ts';
import { compileValidator } from '#http/validation/validator.ts';
import type { Json } from '#ports/json.ts';
import { requireStillShown } from '#queries/token/stillShown.ts';

const anyJson = Type.Unknown({
  description:
    'Any JSON: an object with `type` and `data` becomes a token as from POST /tokens, any other value becomes one of type `token`.',
});
const check = compileValidator(CreateToken);

/** spec: Tokenize */
export const tokenizeRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/tokenize',
    summary: 'Create the tokens of any JSON, all or none',
    tags: ['Tokens'],
    permission: 'token:create',
    audits: { entity: 'token' },
    body: anyJson,
    requireStillShown: (caller, tokens) =>
      requireStillShown(dependencies, reader({ caller }), 'token:create', tokens),
    responses: { 200: Type.Unknown({ description: 'The same JSON, with tokens in the place of values.' }) },
    problems: [409],
    handle: async (request) => {
      const { tokens, assemble } = planTokenization(request.body as Json);
      const created = await createTokens(dependencies, commandContext(request), checked(tokens));
      return answerTokens(200, created, (all) => assemble(all, (token) => presentToken(token) as Json));
    },
  }),
];

/** @throws ValidationFailed with the faults of all */
function checked(tokens: readonly Tokenizable[]): { input: NewTokenInput; path: string }[] {
  const all = noFaults();
  const inputs = tokens.map(({ path, request }) => {
    const prefix = path === '' ? '' : `${path}.`;
    const faults = noFaults();
    check(request, faults);
    for (const [at, messages] of Object.entries(faults)) {
      for (const message of messages) addFault(all, prefix + at, message);
    }
    return { input: request as NewTokenInput, path: prefix };
  });
  refuseIfAny(all);
  return inputs;
}
