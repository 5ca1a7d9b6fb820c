import { isPast } from '#src/expiry.ts';
import Type from 'typebox';
import { createInvitation } from '#commands/invitation/create.ts';
import { deleteInvitation } from '#commands/invitation/delete.ts';
import { resendInvitation } from '#commands/invitation/resend.ts';
import type { OpenInvitation } from '#domain/invitation/state.ts';
import { presentPage } from '#http/presenters/page.ts';
import { presentInvitation } from '#http/presenters/tenantInvitation.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { pageQuery, paginated } from '#http/schemas/pagination.ts';
import {
  CreateTenantInvitation,
  TenantInvitation,
  TenantInvitationStatus,
} from '#http/schemas/tenantInvitation.ts';
import { getInvitation } from '#queries/invitation/get.ts';
import { listInvitations } from '#queries/invitation/list.ts';
import type { WithPerson } from '#src/people.ts';

const tags = ['Tenant invitations'];

/** Source: reference of invitations. */
export function tenantInvitationRoutes(dependencies: RouteDependencies): Route[] {
  const present = (invitation: WithPerson<OpenInvitation>): object =>
    presentInvitation(invitation, isPast(invitation.record.expiresAt, dependencies.clock));
  return [
    defineRoute({
      method: 'POST',
      path: '/tenants/self/invitations',
      summary: 'Invite an email address to the tenant',
      description:
        'The invitation stands for seven days. No mail is sent: it is accepted on the command line, by `holdfast tenant accept-invitation`.',
      tags,
      permission: 'tenant:invitation:create',
      audits: { entity: 'tenant_invitation' },
      // The answer holds personal data, which is not to outlive the record by a day.
      sensitive: true,
      body: CreateTenantInvitation,
      responses: { 201: TenantInvitation },
      handle: async (request) =>
        answer(201, await createInvitation(dependencies, commandContext(request), request.body), present),
    }),
    defineRoute({
      method: 'GET',
      path: '/tenants/self/invitations',
      summary: 'List invitations, newest first',
      description: 'Those that were accepted are members now, and are left out.',
      tags,
      permission: 'tenant:invitation:read',
      audits: { entity: 'tenant_invitation' },
      query: Type.Object({ status: Type.Optional(TenantInvitationStatus), ...pageQuery }),
      responses: { 200: paginated(TenantInvitation) },
      handle: async ({ caller, query: { status, page, size } }) => {
        const filter = status === undefined ? {} : { isExpired: status === 'EXPIRED' };
        const found = await listInvitations(dependencies, caller.tenantId, filter, { page, size });
        return { status: 200, body: presentPage(found, present) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/tenants/self/invitations/:id',
      summary: 'Get an invitation',
      tags,
      permission: 'tenant:invitation:read',
      audits: { entity: 'tenant_invitation' },
      responses: { 200: TenantInvitation },
      handle: async ({ caller, params }) => ({
        status: 200,
        body: present(await getInvitation(dependencies, caller.tenantId, params.id)),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/tenants/self/invitations/:id/resend',
      summary: 'Let an invitation stand for another seven days',
      description: 'Also one that has expired. No mail is sent.',
      tags,
      permission: 'tenant:invitation:update',
      audits: { entity: 'tenant_invitation', operation: 'resend' },
      sensitive: true,
      responses: { 200: TenantInvitation },
      handle: async (request) =>
        answer(
          200,
          await resendInvitation(dependencies, commandContext(request), request.params.id),
          present,
        ),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/tenants/self/invitations/:id',
      summary: 'Take an invitation back',
      tags,
      permission: 'tenant:invitation:delete',
      audits: { entity: 'tenant_invitation' },
      responses: { 204: null },
      problems: [409],
      handle: async (request) =>
        answer(204, await deleteInvitation(dependencies, commandContext(request), request.params.id)),
    }),
  ];
}
