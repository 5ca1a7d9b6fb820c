import Type from 'typebox';
import { deleteMember } from '#commands/member/delete.ts';
import { updateMember } from '#commands/member/update.ts';
import { presentPage } from '#http/presenters/page.ts';
import { presentMember } from '#http/presenters/tenantMember.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { pageQuery, paginated } from '#http/schemas/pagination.ts';
import { TenantMember, UpdateTenantMember } from '#http/schemas/tenantMember.ts';
import { getOwner } from '#queries/member/owner.ts';
import { listMembers } from '#queries/member/list.ts';

const tags = ['Tenant members'];

/** Source: reference of members. */
export const tenantMemberRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/tenants/self/members',
    summary: 'List members, newest first',
    tags,
    permission: 'tenant:member:read',
    audits: { entity: 'tenant_member' },
    query: Type.Object({
      user_id: Type.Optional(
        Type.Array(Type.String(), { maxItems: 100, description: 'Repeat to name several.' }),
      ),
      ...pageQuery,
    }),
    responses: { 200: paginated(TenantMember) },
    handle: async ({ caller, query: { user_id: userIds, page, size } }) => {
      const found = await listMembers(dependencies, caller.tenantId, { userIds }, { page, size });
      return { status: 200, body: presentPage(found, presentMember) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/tenants/self/owner',
    summary: 'Get the member who owns the tenant',
    description: 'The first whose role is OWNER.',
    tags,
    permission: 'tenant:member:read',
    audits: { entity: 'tenant_member' },
    responses: { 200: TenantMember },
    problems: [404],
    handle: async ({ caller }) => ({
      status: 200,
      body: presentMember(await getOwner(dependencies, caller.tenantId)),
    }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/tenants/self/members/:id',
    summary: 'Change the role of a member',
    tags,
    permission: 'tenant:member:update',
    audits: { entity: 'tenant_member' },
    // The answer holds personal data, which is not to outlive the record by a day.
    sensitive: true,
    bodyKind: 'json-or-json-patch',
    body: UpdateTenantMember,
    responses: { 200: TenantMember },
    problems: [409],
    handle: async (request) =>
      answer(
        200,
        await updateMember(dependencies, commandContext(request), request.params.id, request.body),
        presentMember,
      ),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/tenants/self/members/:id',
    summary: 'Remove a member',
    description: 'An owner cannot be removed: change the role first.',
    tags,
    permission: 'tenant:member:delete',
    audits: { entity: 'tenant_member' },
    responses: { 204: null },
    problems: [409, 422],
    handle: async (request) =>
      answer(204, await deleteMember(dependencies, commandContext(request), request.params.id)),
  }),
];
