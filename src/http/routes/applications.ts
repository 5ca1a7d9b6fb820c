import Type from 'typebox';
import { createApplication } from '#commands/application/create.ts';
import { deleteApplication } from '#commands/application/delete.ts';
import { updateApplication } from '#commands/application/update.ts';
import { ApplicationType } from '#domain/application/events.ts';
import { presentApplication } from '#http/presenters/application.ts';
import { presentPage } from '#http/presenters/page.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { Application, CreateApplication, UpdateApplication } from '#http/schemas/application.ts';
import { pageQuery, paginated } from '#http/schemas/pagination.ts';
import { getApplication } from '#queries/application/get.ts';
import { listApplications } from '#queries/application/list.ts';

const tags = ['Applications'];

/** spec: Applications */
export const applicationRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/applications',
    summary: 'Create an application',
    description: 'The answer holds the secret of its first key: it is shown this once.',
    tags,
    permission: 'application:create',
    audits: { entity: 'application' },
    body: CreateApplication,
    responses: { 201: Application },
    handle: async (request) => {
      const created = await createApplication(dependencies, commandContext(request), request.body);
      return answer(201, created, ({ application, key }) => presentApplication(application, key));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/applications',
    summary: 'List applications, newest first',
    tags,
    permission: 'application:read',
    audits: { entity: 'application' },
    query: Type.Object({
      id: Type.Optional(Type.Array(Type.String(), { maxItems: 100, description: 'Repeat to name several.' })),
      type: Type.Optional(Type.Array(ApplicationType, { description: 'Repeat to name several.' })),
      ...pageQuery,
    }),
    responses: { 200: paginated(Application) },
    handle: async ({ caller, query: { id: ids, type: types, page, size } }) => {
      const found = await listApplications(dependencies, caller.tenantId, { ids, types }, { page, size });
      return { status: 200, body: presentPage(found, (application) => presentApplication(application)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/applications/key',
    summary: 'Get the application of the key that asks',
    tags,
    audits: { entity: 'application' },
    responses: { 200: Application },
    problems: [404],
    handle: async ({ caller }) => {
      const application = await getApplication(dependencies, caller.tenantId, caller.applicationId);
      return { status: 200, body: presentApplication(application) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/applications/:id',
    summary: 'Get an application',
    tags,
    permission: 'application:read',
    audits: { entity: 'application' },
    responses: { 200: Application },
    handle: async ({ caller, params }) => {
      const application = await getApplication(dependencies, caller.tenantId, params.id);
      return { status: 200, body: presentApplication(application) };
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/applications/:id',
    summary: 'Update an application',
    description:
      'Replaces the name, and permissions and rules together: without both they stay, as type, expiry and keys do.',
    tags,
    permission: 'application:update',
    audits: { entity: 'application' },
    body: UpdateApplication,
    responses: { 200: Application },
    problems: [409],
    handle: async (request) => {
      const context = commandContext(request);
      const updated = await updateApplication(dependencies, context, request.params.id, request.body);
      return answer(200, updated, (application) => presentApplication(application));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/applications/:id',
    summary: 'Delete an application',
    tags,
    permission: 'application:delete',
    audits: { entity: 'application' },
    responses: { 204: null },
    problems: [409],
    handle: async (request) =>
      answer(204, await deleteApplication(dependencies, commandContext(request), request.params.id)),
  }),
];
