import Type from 'typebox';
import { defineRoute } from '#http/route.ts';
import type { Answer, Route } from '#http/route.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import type { Json } from '#ports/json.ts';
import { findRunnableReactor } from '#queries/reactor/runnable.ts';
import { contentOf } from '#src/reactors/content.ts';
import type { ReactorAnswer, Reactors } from '#src/reactors/invocation.ts';

export type ReactDependencies = {
  reactors: Reactors;
  /** How long code may run while its caller waits, in milliseconds. */
  reactorTimeout: number;
};

const anyJson = Type.Unknown({
  description: 'Any JSON for `req.args`; its strings may hold `{{ <token id> | … }}`.',
});

/** spec: Invoke a Reactor */
export const reactRoutes = (dependencies: RouteDependencies & ReactDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/reactors/:id/react',
    summary: 'Invoke a reactor',
    description: 'Problems and responses that the code makes come with the status that it gave them.',
    tags: ['Reactors'],
    permission: 'token:use',
    audits: { entity: 'reactor', operation: 'invoke' },
    body: Type.Object({ args: Type.Optional(anyJson) }),
    responses: {
      200: Type.Object(
        {
          tokens: Type.Optional(Type.Unknown({ description: 'What `tokenize` became.' })),
          raw: Type.Optional(Type.Unknown({ description: 'What the code returned as `raw`.' })),
        },
        { $id: 'ReactorResponse' },
      ),
    },
    problems: [402, 422, 429],
    // Code has effects that nobody can take back or know of; what it answers must not be kept.
    idempotent: false,
    requireFound: async ({ tenantId }, { id }) => {
      await findRunnableReactor(dependencies, tenantId, id ?? '');
    },
    handle: async ({ caller, params, body, traceId, address, lent }) => {
      const { reactors, reactorTimeout } = dependencies;
      const args = (body.args ?? null) as Json;
      const prepared = await reactors.prepare(caller, params.id, args, {
        traceId,
        address,
        depth: lent?.depth ?? 0,
      });
      return answerOf(await reactors.run(prepared, { milliseconds: reactorTimeout }));
    },
  }),
];

function answerOf(answer: ReactorAnswer): Answer {
  const { status, headers } = answer;
  return { status, headers, content: contentOf(answer) };
}
