import Type from 'typebox';
import { presentPage } from '#http/presenters/page.ts';
import { presentReactorLog } from '#http/presenters/reactorLog.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { pageQuery, paginated } from '#http/schemas/pagination.ts';
import { ReactorLog } from '#http/schemas/reactorLog.ts';
import { keptInvocations } from '#ports/reactorLogs.ts';
import type { ReactorLogs } from '#ports/reactorLogs.ts';
import { listReactorLogs } from '#queries/reactor/logs.ts';

export type ReactorLogDependencies = { reactorLogs: ReactorLogs };

/** What code of reactors printed. */
export const reactorLogRoutes = (dependencies: RouteDependencies & ReactorLogDependencies): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/reactors/:id/logs',
    summary: 'List what a reactor printed, newest first',
    description:
      `Of the last ${keptInvocations} invocations that printed something or failed, for seven days. Data of tokens that ` +
      'they were given, configuration and card numbers are replaced by `[redacted]`.',
    tags: ['Reactors', 'Logs'],
    permission: 'log:read',
    audits: { entity: 'reactor' },
    query: Type.Object(pageQuery),
    responses: { 200: paginated(ReactorLog) },
    handle: async ({ caller, params, query }) => {
      const found = await listReactorLogs(dependencies, caller.tenantId, params.id, query);
      return {
        status: 200,
        body: presentPage(found, presentReactorLog),
        shown: [{ id: params.id, transform: 'logs' }],
      };
    },
  }),
];
