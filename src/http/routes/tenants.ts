import { deleteTenant } from '#commands/tenant/delete.ts';
import type { ErasureDependencies } from '#commands/tenant/delete.ts';
import { updateTenant } from '#commands/tenant/update.ts';
import type { LiveTenant } from '#domain/tenant/state.ts';
import { presentTenant, presentUsage } from '#http/presenters/tenant.ts';
import type { TenantType } from '#http/presenters/tenant.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { Tenant, UpdateTenant, UsageReport } from '#http/schemas/tenant.ts';
import { getTenant } from '#queries/tenant/get.ts';
import { findOwnerId } from '#queries/tenant/ownerId.ts';
import { getUsage } from '#queries/tenant/usage.ts';

const tags = ['Tenants'];

export type TenantDependencies = RouteDependencies & ErasureDependencies & { tenantType: TenantType };

const present = async (dependencies: TenantDependencies, tenant: LiveTenant): Promise<object> =>
  presentTenant(tenant, await findOwnerId(dependencies, tenant.id), dependencies.tenantType);

/** Source: reference of tenants. */
export const tenantRoutes = (dependencies: TenantDependencies): Route[] => [
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
      body: await present(dependencies, await getTenant(dependencies, caller.tenantId)),
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
    handle: async (request) => {
      const updated = await updateTenant(dependencies, commandContext(request), request.body);
      const body = await present(dependencies, updated.result);
      return answer(200, updated, () => body);
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/tenants/self',
    summary: 'Delete the tenant and destroy its keys',
    description:
      'Nothing of its tokens can be read again, also from backups without the root key. Every key of the tenant stops working.',
    tags,
    permission: 'tenant:delete',
    audits: { entity: 'tenant' },
    responses: { 204: null },
    problems: [404, 409],
    handle: async (request) => answer(204, await deleteTenant(dependencies, commandContext(request))),
  }),
  defineRoute({
    method: 'GET',
    path: '/tenants/self/reports/usage',
    summary: 'Report what the tenant holds and uses',
    tags,
    permission: 'report:read',
    audits: { entity: 'report' },
    responses: { 200: UsageReport },
    handle: async ({ caller }) => ({
      status: 200,
      body: presentUsage(await getUsage(dependencies, caller.tenantId)),
    }),
  }),
];
