import Type from 'typebox';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { takeNotification } from '#src/orchestration/notify.ts';

/** Providers have no key of ours: they sign what they send, by a secret of the connection. */
export const notificationRoutes = (dependencies: PaymentDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/orchestration/notifications/:tenant_id/:connection_id',
    authenticated: false,
    summary: 'Take a notification of a payment provider',
    description: 'Signed as the provider of the connection signs; what is not is 401, and changes nothing.',
    tags: ['Transactions'],
    raw: true,
    responses: { 200: Type.Unknown({ description: 'What the provider expects to hear.' }) },
    problems: [401, 409, 413],
    handle: async ({ params, raw }) => {
      if (raw === undefined) throw new Error('the route asked for bytes');
      const origin = { tenantId: params.tenant_id, connectionId: params.connection_id };
      const data = await takeNotification(dependencies, origin, raw);
      return { status: 200, content: { type: 'text/plain; charset=utf-8', data } };
    },
  }),
];
