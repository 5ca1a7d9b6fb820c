import { updateTenant } from '#commands/tenant/update.ts';
import { presentTenant } from '#http/presenters/tenant.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { Tenant, UpdateTenant } from '#http/schemas/tenant.ts';
import { getTenant } from '#queries/tenant/get.ts';

const tags = ['Tenants'];

/** Source: reference of tenants. */
export const tenantRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/tenants/self',
    summary: 'Get the tenant of the key that asks',
    tags,
    permission: 'tenant:read',
    audits: { entity: 'tenant' },
    responses: { 200: Tenant },
    handle: async ({ caller }) => ({
      status: 200,
      body: presentTenant(await getTenant(dependencies, caller.tenantId)),
    }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/tenants/self',
    summary: 'Change the name and the settings of the tenant',
    description: 'Settings that are given replace all of them; without, they stay.',
    tags,
    permission: 'tenant:update',
    audits: { entity: 'tenant' },
    body: UpdateTenant,
    responses: { 200: Tenant },
    problems: [409],
    handle: async (request) =>
      answer(200, await updateTenant(dependencies, commandContext(request), request.body), presentTenant),
  }),
];
