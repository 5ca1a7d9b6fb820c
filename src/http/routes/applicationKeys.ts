import Type from 'typebox';
import { createKey } from '#commands/application/createKey.ts';
import { regenerateKey } from '#commands/application/regenerateKey.ts';
import { deleteKey } from '#commands/application/deleteKey.ts';
import { presentApplication, presentKey } from '#http/presenters/application.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { Application, ApplicationKey } from '#http/schemas/application.ts';
import { getApplication } from '#queries/application/get.ts';
import { NotFound } from '#src/errors.ts';

const tags = ['Applications'];

/** Source: reference of application keys. The list is a bare array, as client libraries expect. */
export const applicationKeyRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/applications/:id/keys',
    summary: 'Add a key to an application',
    description:
      'The answer holds its secret: it is shown this once. An application holds three keys at most.',
    tags,
    permission: 'application:create',
    audits: { entity: 'application_key' },
    responses: { 201: ApplicationKey },
    problems: [404, 409, 422],
    handle: async (request) => {
      const created = await createKey(dependencies, commandContext(request), request.params.id);
      return answer(201, created, ({ entry, key }) => presentKey(request.caller.tenantId, entry, key));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/applications/:id/regenerate',
    summary: 'Replace the only key of an application',
    description: 'The answer holds the new secret; the old one opens nothing from now on.',
    tags,
    permission: 'application:update',
    audits: { entity: 'application', operation: 'regenerate' },
    responses: { 200: Application },
    problems: [404, 409, 422],
    handle: async (request) => {
      const regenerated = await regenerateKey(dependencies, commandContext(request), request.params.id);
      return answer(200, regenerated, ({ application, key }) => presentApplication(application, key));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/applications/:id/keys',
    summary: 'List the keys of an application',
    tags,
    permission: 'application:read',
    audits: { entity: 'application_key' },
    responses: { 200: Type.Array(ApplicationKey) },
    problems: [404],
    handle: async ({ caller, params }) => {
      const application = await getApplication(dependencies, caller.tenantId, params.id);
      return { status: 200, body: application.keys.map((entry) => presentKey(caller.tenantId, entry)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/applications/:id/keys/:keyId',
    summary: 'Get a key of an application',
    tags,
    permission: 'application:read',
    audits: { entity: 'application_key' },
    responses: { 200: ApplicationKey },
    problems: [404],
    handle: async ({ caller, params }) => {
      const application = await getApplication(dependencies, caller.tenantId, params.id);
      const entry = application.keys.find((key) => key.id === params.keyId);
      if (entry === undefined) throw new NotFound();
      return { status: 200, body: presentKey(caller.tenantId, entry) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/applications/:id/keys/:keyId',
    summary: 'Revoke a key of an application',
    tags,
    permission: 'application:delete',
    audits: { entity: 'application_key' },
    responses: { 204: null },
    problems: [404, 409],
    handle: async (request) => {
      const { id, keyId } = request.params;
      return answer(204, await deleteKey(dependencies, commandContext(request), id, keyId));
    },
  }),
];
