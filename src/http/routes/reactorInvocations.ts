import Type from 'typebox';
import { checkCallbackUrl } from '#commands/invocation/callbackUrl.ts';
import { startInvocation } from '#commands/invocation/start.ts';
import type { StartDependencies } from '#commands/invocation/start.ts';
import { presentReactorAnswer } from '#http/presenters/reactorAnswer.ts';
import { closed } from '#http/schemas/closed.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { callbackUrl } from '#http/routes/react.ts';
import { commandContext, originOf } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import type { Json } from '#ports/json.ts';
import { getResult } from '#queries/invocation/result.ts';
import type { Reactors } from '#src/reactors/invocation.ts';

const tags = ['Reactors'];
const permission = 'token:use';
const audits = { entity: 'reactor' } as const;

export type InvocationDependencies = RouteDependencies &
  StartDependencies & { reactors: Pick<Reactors, 'prepare' | 'checkCode'> };

/** Calls of reactors that do not wait for the run. Source: reference of reactors */
export function reactorInvocationRoutes(dependencies: InvocationDependencies): Route[] {
  const { reactors } = dependencies;
  return [
    defineRoute({
      method: 'POST',
      path: '/reactors/:id/react-async',
      summary: 'Invoke a reactor, and ask for its answer later',
      description:
        'Everything that can be refused is refused at once; the run then begins within a moment. With a `callback_url` its answer is posted there, too.',
      tags,
      permission,
      audits: { ...audits, operation: 'invoke' },
      body: closed({
        args: Type.Optional(Type.Unknown()),
        callback_url: Type.Optional(callbackUrl),
        callbackUrl: Type.Optional(callbackUrl),
      }),
      responses: { 202: Type.Object({ asyncReactorRequestId: Type.String({ format: 'uuid' }) }) },
      problems: [404, 422],
      handle: async (request) => {
        const { caller, params, body } = request;
        const url = body.callback_url ?? body.callbackUrl ?? undefined;
        if (url !== undefined) checkCallbackUrl(dependencies, caller, url);
        const args = (body.args ?? null) as Json;
        const prepared = await reactors.prepare(caller, params.id, args, originOf(request));
        const wrong = await reactors.checkCode(prepared);
        if (wrong !== undefined) return presentReactorAnswer(wrong);
        const { id } = await startInvocation(dependencies, commandContext(request), prepared, {
          callbackUrl: url,
        });
        return { status: 202, body: { asyncReactorRequestId: id } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/reactors/:id/results/:requestId',
      summary: 'Get what an asynchronous invocation came to',
      description:
        'The answer that a synchronous call would have had, with its status: also an error, or what the code ' +
        'composed itself. 404 until the run has ended, and 24 hours after it. Only the application that asked sees it.',
      tags,
      permission,
      audits,
      responses: { 200: Type.Unknown() },
      problems: [404],
      answersFreely: true,
      handle: async ({ caller, params }) =>
        presentReactorAnswer(
          await getResult(dependencies, caller, { reactorId: params.id, id: params.requestId }),
        ),
    }),
  ];
}
