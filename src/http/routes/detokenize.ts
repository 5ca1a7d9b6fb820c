import Type from 'typebox';
import { presentToken } from '#http/presenters/token.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { reader, shownOf } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import type { Json } from '#ports/json.ts';
import { countReferences, detokenize } from '#queries/token/detokenize.ts';

const anyJson = Type.Unknown({ description: 'Any JSON; its strings may hold `{{ <token id> | … }}`.' });

/** Source: reference of the detokenize endpoint. */
export const detokenizeRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/detokenize',
    tokensIn: (body) => countReferences(body as Json),
    summary: 'Replace expressions in any JSON by what the caller may see of the tokens',
    tags: ['Tokens'],
    permission: 'token:read',
    audits: { entity: 'token', operation: 'read' },
    body: anyJson,
    responses: { 200: anyJson },
    // It changes nothing, and what it answers must not be kept.
    idempotent: false,
    handle: async (request) => {
      const body = request.body as Json;
      const detokenized = await detokenize(
        dependencies,
        reader(request),
        body,
        (shown) => presentToken(shown) as Json,
      );
      return { status: 200, body: detokenized.value, shown: shownOf(detokenized.tokens) };
    },
  }),
];
