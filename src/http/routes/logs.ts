import Type from 'typebox';
import { logPlaceOf } from '#http/cursor.ts';
import { momentOf } from '#http/moment.ts';
import { presentEvent, presentLogs } from '#http/presenters/log.ts';
import { presentPage } from '#http/presenters/page.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { HistoryEvent, LogList } from '#http/schemas/log.ts';
import { pageQuery, paginated } from '#http/schemas/pagination.ts';
import { getHistory } from '#queries/history.ts';
import type { WithHistory } from '#queries/history.ts';
import { endOfFirstPage } from '#queries/log/firstPage.ts';
import { listLogs } from '#queries/log/list.ts';
import { entityTypes } from '#src/audit/vocabulary.ts';

const tags = ['Logs'];
const permission = 'log:read';
/** Access to the log is a matter of the log itself. */
const audits = { entity: 'log', operation: 'read' } as const;

/** What has a history that clients may see: its path, and what people call it. */
const histories: Readonly<Record<WithHistory, [`/${string}`, string]>> = {
  token: ['/tokens', 'a token'],
  application: ['/applications', 'an application'],
  connection: ['/orchestration/connections', 'a connection'],
  transaction: ['/orchestration/transactions', 'a transaction'],
};

const text = (description: string) => Type.Optional(Type.String({ maxLength: 400, description }));

/** Source: reference of logs. */
export const logRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/logs',
    summary: 'List who did what, newest first',
    description:
      'Reads, changes and refusals. Pages by `page`: those behind the first are of the log as it was when the same key read its first page, if that is less than an hour ago. Or, however long it takes, by `start`.',
    tags,
    permission,
    audits,
    query: Type.Object({
      entity_type: text('One of `GET /logs/entity-types`.'),
      entity_id: text('The token, application or other thing that it is about.'),
      actor_id: text('The application that did it.'),
      operation: text('`read`, `create`, `update`, `delete`, …'),
      outcome: Type.Optional(Type.Union([Type.Literal('succeeded'), Type.Literal('refused')])),
      start_date: text('ISO 8601; this moment and later.'),
      end_date: text('ISO 8601; before this moment.'),
      start: text('`next` of the answer before; absent: the beginning.'),
      after: text('The same as `start`.'),
      ...pageQuery,
      size: Type.Integer({ ...pageQuery.size, maximum: 5_000 }),
    }),
    responses: { 200: LogList },
    handle: async ({ caller, query }) => {
      const filter = {
        entityType: query.entity_type,
        entityId: query.entity_id,
        actorId: query.actor_id,
        operation: query.operation,
        outcome: query.outcome,
        from: query.start_date === undefined ? undefined : momentOf('start_date', query.start_date),
        until: query.end_date === undefined ? undefined : momentOf('end_date', query.end_date),
      };
      const { page, size, start, after = start } = query;
      const place = after === undefined ? undefined : logPlaceOf(after);
      const isFirst = page === 1 && place === undefined;
      const upTo = isFirst || place !== undefined ? undefined : await endOfFirstPage(dependencies, caller);
      const request = { page, size, after: place, upTo };
      const found = await listLogs(dependencies, caller.tenantId, filter, request);
      return { status: 200, body: presentLogs(found), detail: isFirst ? (found.items[0]?.id ?? '') : '' };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/logs/entity-types',
    summary: 'List what entries of the log can be about',
    tags,
    permission,
    audits,
    responses: {
      200: Type.Array(Type.Object({ display_name: Type.String(), value: Type.String() })),
    },
    handle: () =>
      Promise.resolve({
        status: 200,
        body: Object.entries(entityTypes).map(([value, display_name]) => ({ display_name, value })),
      }),
  }),
  ...(Object.keys(histories) as WithHistory[]).map((of) =>
    defineRoute({
      method: 'GET',
      path: `${histories[of][0]}/:id/history` as '/tokens/:id/history',
      summary: `List what happened to ${histories[of][1]}, oldest first`,
      description: 'Its events, without secrets; also after it was deleted.',
      tags,
      permission,
      audits,
      query: Type.Object(pageQuery),
      responses: { 200: paginated(HistoryEvent) },
      problems: [404],
      handle: async ({ caller, params, query }) => {
        const history = await getHistory(dependencies, caller.tenantId, of, params.id, query);
        return {
          status: 200,
          body: presentPage(history, presentEvent),
          shown: [{ id: params.id, transform: 'history' }],
        };
      },
    }),
  ),
];
