import Type from 'typebox';
import { presentReactorAnswer } from '#http/presenters/reactorAnswer.ts';
import { Accepted } from '#http/schemas/accepted.ts';
import { closed } from '#http/schemas/closed.ts';
import { emptyable } from '#http/schemas/emptyable.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { commandContext, originOf } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { checkCallbackUrl } from '#commands/invocation/callbackUrl.ts';
import { startInvocation } from '#commands/invocation/start.ts';
import type { StartDependencies } from '#commands/invocation/start.ts';
import type { Json } from '#ports/json.ts';
import { findRunnableReactor } from '#queries/reactor/runnable.ts';
import type { Reactors } from '#src/reactors/invocation.ts';

export type ReactDependencies = StartDependencies & {
  reactors: Reactors;
  /** How long code may run while its caller waits, in milliseconds. */
  reactorTimeout: number;
};

const anyJson = Type.Unknown({
  description: 'Any JSON for `req.args`; its strings may hold `{{ <token id> | … }}`.',
});

export const callbackUrl = emptyable(
  Type.String({
    description:
      'An https URL: the call is then answered at once, by 202, and what the code answers is posted there.',
  }),
);

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
    body: closed({
      args: Type.Optional(anyJson),
      callback_url: Type.Optional(callbackUrl),
      callbackUrl: Type.Optional(callbackUrl),
    }),
    responses: {
      200: Type.Object(
        {
          tokens: Type.Optional(Type.Unknown({ description: 'What `tokenize` became.' })),
          raw: Type.Optional(Type.Unknown({ description: 'What the code returned as `raw`.' })),
        },
        { $id: 'ReactorResponse' },
      ),
      202: Accepted,
    },
    problems: [402, 422, 429],
    answersFreely: true,
    // Code has effects that nobody can take back or know of; what it answers must not be kept.
    idempotent: false,
    requireFound: async ({ tenantId }, { id }) => {
      await findRunnableReactor(dependencies, tenantId, id ?? '');
    },
    handle: async (request) => {
      const { caller, params, body } = request;
      const { reactors, reactorTimeout } = dependencies;
      const url = body.callback_url ?? body.callbackUrl ?? undefined;
      if (url !== undefined) checkCallbackUrl(dependencies, caller, url);
      const args = (body.args ?? null) as Json;
      const prepared = await reactors.prepare(caller, params.id, args, originOf(request));
      if (url === undefined) {
        return presentReactorAnswer(await reactors.run(prepared, { milliseconds: reactorTimeout }));
      }
      const wrong = await reactors.checkCode(prepared);
      if (wrong !== undefined) return presentReactorAnswer(wrong);
      await startInvocation(dependencies, commandContext(request), prepared, { callbackUrl: url });
      return { status: 202, body: {} };
    },
  }),
];
