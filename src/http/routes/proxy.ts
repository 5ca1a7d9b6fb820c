import Type from 'typebox';
import { defineRoute } from '#http/route.ts';
import type { Method, Route } from '#http/route.ts';
import { originOf } from '#http/routes/dependencies.ts';
import { ProblemSchema } from '#http/schemas/problem.ts';
import { invokeProxy } from '#src/proxies/invoke.ts';
import type { InvokeProxyDependencies } from '#src/proxies/invoke.ts';
import { wrapped } from '#src/proxies/problems.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const proxyError = Type.Object(
  { proxy_error: ProblemSchema },
  { $id: 'ProxyError', description: 'A problem of the service, which the destination has not seen.' },
);

const description = [
  'Name the destination by the header BT-PROXY-URL, or a proxy by the header BT-PROXY-KEY or the query parameter',
  '`bt-proxy-key`. What follows after `/proxy` in the path, and the query, are put after the URL of the destination.',
  'Expressions `{{ <token id> | … }}` in headers, query and text bodies are replaced. The answer is the',
  "destination's, whose status is in BT-PROXY-DESTINATION-STATUS; without that header it is the service's.",
].join(' ');

/** Source: reference of proxies. */
export const proxyInvocationRoutes = (dependencies: InvokeProxyDependencies): Route[] =>
  methods.flatMap((method) =>
    (['/proxy', '/proxy/*path'] as const).map((path) =>
      defineRoute({
        method,
        path,
        // Any path below is the destination's, and cannot be told in the document.
        documented: path === '/proxy',
        summary: 'Send a request through a proxy',
        description,
        tags: ['Proxies'],
        authenticated: 'optional',
        permission: 'token:use',
        audits: { entity: 'proxy', operation: 'invoke' },
        streamed: true,
        problemForm: { present: wrapped, schema: proxyError },
        responses: {
          200: Type.Unknown({ description: 'Whatever the destination answers, in its media type.' }),
        },
        problems: [400, 404, 408, 413, 415, 422, 429, 502, 508],
        answersFreely: true,
        // What a destination does cannot be taken back or known, and what it answers must not be kept.
        idempotent: false,
        handle: async ({ caller, incoming, ...request }) => {
          if (incoming === undefined) throw new Error('the route is not streamed');
          return invokeProxy(dependencies, { caller, incoming, origin: originOf(request) });
        },
      }),
    ),
  );
