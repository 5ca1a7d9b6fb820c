import Type from 'typebox';
import { planTokenization } from '#commands/token/tokenization.ts';
import { warnOfMasks } from '#http/maskWarnings.ts';
import { cardNumbersIn } from '#http/request/cardNumbers.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answerTokens, commandContext, reader } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { tokenizeJson } from '#http/tokenization.ts';
import type { Json } from '#ports/json.ts';
import { requireStillShown } from '#queries/token/stillShown.ts';

const anyJson = Type.Unknown({
  description:
    'Any JSON: an object with `type` and `data` becomes a token as from POST /tokens, any other value becomes one of type `token`.',
});

/** spec: Tokenize */
export const tokenizeRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/tokenize',
    rateScope: 'token_create',
    tokensIn: (body) => planTokenization(body as Json).tokens.length,
    cardNumbersIn: (body) =>
      cardNumbersIn(planTokenization(body as Json).tokens.map(({ request }) => request)),
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
      const { outcome, present } = await tokenizeJson(
        dependencies,
        commandContext(request),
        request.body as Json,
      );
      const { tokens } = planTokenization(request.body as Json);
      return warnOfMasks(answerTokens(200, outcome, present), tokens);
    },
  }),
];
