import Type from 'typebox';
import { mayAnywhere } from '#access/evaluate.ts';
import type { Outcome } from '#commands/context.ts';
import { createReactor } from '#commands/reactor/create.ts';
import { deleteReactor } from '#commands/reactor/delete.ts';
import { patchReactor } from '#commands/reactor/patch.ts';
import { updateReactor } from '#commands/reactor/update.ts';
import type { LiveReactor } from '#domain/reactor/state.ts';
import { presentPage } from '#http/presenters/page.ts';
import { presentReactor } from '#http/presenters/reactor.ts';
import { defineRoute } from '#http/route.ts';
import type { Answer, Route, Shown } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { namedQuery, paginated } from '#http/schemas/pagination.ts';
import { PatchReactor, Reactor, WriteReactor } from '#http/schemas/reactor.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import { getReactor } from '#queries/reactor/get.ts';
import { listReactors } from '#queries/reactor/list.ts';
import { usedApplications } from '#queries/reactor/usedApplications.ts';
import type { WithConfiguration } from '#src/configurations.ts';

const tags = ['Reactors'];
const audits = { entity: 'reactor' } as const;

type Configured = WithConfiguration<LiveReactor>;

/** spec: Reactors */
export function reactorRoutes(dependencies: RouteDependencies): Route[] {
  const presenterFor = async (caller: Caller, reactors: readonly Configured[]) => {
    const records = reactors.map(({ record }) => record);
    const applications = await usedApplications(dependencies, caller.tenantId, records);
    const isReader = mayAnywhere(caller, 'reactor:read');
    return ({ record, configuration }: Configured): object =>
      presentReactor(
        record,
        isReader ? configuration : undefined,
        applications.get(record.applicationId ?? ''),
      );
  };
  const answerWritten = async (
    status: number,
    caller: Caller,
    outcome: Outcome<Configured>,
  ): Promise<Answer> => ({
    ...answer(status, outcome, await presenterFor(caller, [outcome.result])),
    ...(mayAnywhere(caller, 'reactor:read') ? { shown: shownOf([outcome.result]) } : {}),
  });
  return [
    defineRoute({
      method: 'POST',
      path: '/reactors',
      summary: 'Create a reactor',
      tags,
      permission: 'reactor:create',
      audits,
      // The answer holds secrets, which are not to outlive the reactor by a day.
      sensitive: true,
      body: WriteReactor,
      responses: { 201: Reactor },
      handle: async (request) => {
        const created = await createReactor(dependencies, commandContext(request), request.body);
        return answerWritten(201, request.caller, created);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/reactors',
      summary: 'List reactors, newest first',
      tags,
      permission: 'reactor:read',
      audits,
      query: Type.Object(namedQuery),
      responses: { 200: paginated(Reactor) },
      handle: async ({ caller, query: { id: ids, name, page, size } }) => {
        const found = await listReactors(dependencies, caller.tenantId, { ids, name }, { page, size });
        const present = await presenterFor(caller, found.items);
        return { status: 200, body: presentPage(found, present), shown: shownOf(found.items) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/reactors/:id',
      summary: 'Get a reactor',
      tags,
      permission: 'reactor:read',
      audits,
      responses: { 200: Reactor },
      handle: async ({ caller, params }) => {
        const reactor = await getReactor(dependencies, caller.tenantId, params.id);
        const present = await presenterFor(caller, [reactor]);
        return { status: 200, body: present(reactor), shown: shownOf([reactor]) };
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/reactors/:id',
      summary: 'Update a reactor',
      description: 'Replaces it whole: without `application` it has none.',
      tags,
      permission: 'reactor:update',
      audits,
      sensitive: true,
      body: WriteReactor,
      responses: { 200: Reactor },
      problems: [409],
      handle: async (request) => {
        const context = commandContext(request);
        const updated = await updateReactor(dependencies, context, request.params.id, request.body);
        return answerWritten(200, request.caller, updated);
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/reactors/:id',
      summary: 'Merge a patch into a reactor',
      description: 'By RFC 7386: null takes away an entry of the configuration, or the application.',
      tags,
      permission: 'reactor:update',
      audits,
      body: PatchReactor,
      responses: { 204: null },
      problems: [409],
      handle: async (request) =>
        answer(
          204,
          await patchReactor(dependencies, commandContext(request), request.params.id, request.body),
        ),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/reactors/:id',
      summary: 'Delete a reactor',
      tags,
      permission: 'reactor:delete',
      audits,
      responses: { 204: null },
      problems: [409],
      handle: async (request) =>
        answer(204, await deleteReactor(dependencies, commandContext(request), request.params.id)),
    }),
  ];
}

/** The configuration of a reactor is secret, so each that an answer shows is told of in the audit log. */
const shownOf = (reactors: readonly Configured[]): Shown[] =>
  reactors.map(({ record }) => ({ id: record.id, transform: 'reveal' }));
