import Type from 'typebox';
import { defineRoute } from '#http/route.ts';
import { mapOf } from '#http/schemas/map.ts';
import { pageQuery } from '#http/schemas/pagination.ts';

const tags = ['Things'];

/** What a card token's creation looks like to http. */
export const createThing = defineRoute({
  method: 'POST',
  path: '/things',
  summary: 'Create a thing',
  tags,
  permission: 'token:create',
  body: Type.Object(
    {
      type: Type.String({ maxLength: 50 }),
      data: Type.Unknown(),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      metadata: Type.Optional(Type.Union([mapOf(Type.String()), Type.Null()])),
    },
    { $id: 'CreateThing' },
  ),
  responses: { 201: Type.Object({ data: Type.Unknown() }, { $id: 'Thing' }) },
  handle: ({ body, traceId, commandId }) =>
    Promise.resolve({ status: 201, body: { ...body, trace_id: traceId, command_id: commandId } }),
});

export const listThings = defineRoute({
  method: 'GET',
  path: '/things',
  summary: 'List things',
  tags,
  permission: 'token:read',
  query: Type.Object({
    id: Type.Optional(Type.Array(Type.String())),
    name: Type.Optional(Type.String({ maxLength: 10 })),
    active: Type.Optional(Type.Boolean()),
    metadata: Type.Optional(mapOf(Type.String())),
    ...pageQuery,
  }),
  responses: { 200: Type.Array(Type.Unknown()) },
  handle: ({ query }) => Promise.resolve({ status: 200, body: query }),
});

export const getThing = defineRoute({
  method: 'GET',
  path: '/things/:id',
  summary: 'Get a thing',
  tags,
  permission: 'token:read',
  responses: { 200: Type.Unknown() },
  handle: ({ params, caller }) =>
    Promise.resolve({ status: 200, body: { ...params, by: caller.applicationId } }),
});

export const getOwnThing = defineRoute({
  method: 'GET',
  path: '/things/own',
  summary: 'Get the own thing',
  tags,
  responses: { 200: Type.Unknown() },
  handle: () => Promise.resolve({ status: 200, body: 'own' }),
});

export const patchThing = defineRoute({
  method: 'PATCH',
  path: '/things/:id',
  summary: 'Change a thing',
  tags,
  permission: 'token:update',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  query: Type.Object({ size: pageQuery.size }),
  body: Type.Object({ name: Type.Optional(Type.String()) }),
  responses: { 200: Type.Unknown() },
  handle: ({ body }) => Promise.resolve({ status: 200, body }),
});

export const deleteThing = defineRoute({
  method: 'DELETE',
  path: '/things/:id',
  summary: 'Delete a thing',
  tags,
  responses: { 204: null },
  handle: () => Promise.resolve({ status: 204 }),
});

/** Bodyless, as client libraries call it: with a form's content type, or `{}`, or nothing. */
export const renewThing = defineRoute({
  method: 'POST',
  path: '/things/:id/renew',
  summary: 'Renew a thing',
  tags,
  responses: { 200: null },
  handle: () => Promise.resolve({ status: 200 }),
});

export const smallThing = defineRoute({
  method: 'POST',
  path: '/small',
  summary: 'Take a small body',
  tags,
  body: Type.Unknown(),
  bodyLimit: 100,
  responses: { 200: null },
  handle: ({ body }) => Promise.resolve({ status: 200, body: { body } }),
});

export const thingRoutes = [
  createThing,
  listThings,
  getThing,
  getOwnThing,
  patchThing,
  deleteThing,
  renewThing,
  smallThing,
];
