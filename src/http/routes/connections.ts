import Type from 'typebox';
import { createConnection } from '#commands/connection/create.ts';
import { deleteConnection } from '#commands/connection/delete.ts';
import { updateConnection } from '#commands/connection/update.ts';
import { presentConnection, presentCreatedConnection } from '#http/presenters/connection.ts';
import { defineRoute } from '#http/route.ts';
import type { Method, Route } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { Connection, CreatedConnection, WriteConnection } from '#http/schemas/connection.ts';
import { listConnections } from '#queries/connection/list.ts';

const tags = ['Connections'];
const audits = { entity: 'connection' } as const;

/** spec: Connections */
export const connectionRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/orchestration/connections',
    summary: 'Create a connection to a payment provider',
    description: 'It is pending until the provider was asked about its credentials.',
    tags,
    permission: 'orchestration:connections:create',
    audits,
    body: WriteConnection,
    responses: { 201: CreatedConnection },
    handle: async (request) =>
      answer(
        201,
        await createConnection(dependencies, commandContext(request), request.body),
        presentCreatedConnection,
      ),
  }),
  // The reference of clients labels the list PUT and calls it by GET, and labels the update PUT and calls it by POST.
  ...(['GET', 'PUT'] as const).map((method) => listRoute(dependencies, method)),
  ...(['PUT', 'POST'] as const).map((method) => updateRoute(dependencies, method)),
  defineRoute({
    method: 'DELETE',
    path: '/orchestration/connections/:id',
    summary: 'Delete a connection',
    tags,
    permission: 'orchestration:connections:delete',
    audits,
    responses: { 204: null },
    problems: [409],
    handle: async (request) =>
      answer(204, await deleteConnection(dependencies, commandContext(request), request.params.id)),
  }),
];

const listRoute = (dependencies: RouteDependencies, method: Method): Route =>
  defineRoute({
    method,
    path: '/orchestration/connections',
    summary: 'List connections, newest first',
    tags,
    permission: 'orchestration:connections:update',
    audits: { ...audits, operation: 'read' },
    idempotent: false,
    responses: { 200: Type.Array(Connection) },
    handle: async ({ caller }) => {
      const connections = await listConnections(dependencies, caller.tenantId);
      return { status: 200, body: connections.map(presentConnection), shown: [] };
    },
  });

const updateRoute = (dependencies: RouteDependencies, method: Method): Route =>
  defineRoute({
    method,
    path: '/orchestration/connections/:id',
    summary: 'Update a connection',
    description:
      'Replaces all but the formula and the fields that are left out. With other fields it is pending again.',
    tags,
    permission: 'orchestration:connections:update',
    audits: { ...audits, operation: 'update' },
    body: WriteConnection,
    responses: { 200: Connection },
    problems: [409],
    handle: async (request) =>
      answer(
        200,
        await updateConnection(dependencies, commandContext(request), request.params.id, request.body),
        presentConnection,
      ),
  });
