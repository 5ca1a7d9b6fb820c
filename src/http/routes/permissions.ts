import Type from 'typebox';
import { permissions } from '#access/permissions.ts';
import { ApplicationType } from '#domain/application/events.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';

const Permission = Type.Object(
  {
    type: Type.String({ examples: ['token:read'] }),
    description: Type.String(),
    application_types: Type.Array(ApplicationType),
  },
  { $id: 'Permission' },
);

/** Source: reference of permissions. The list is a bare array, as client libraries expect; any key may ask. */
export const permissionRoutes = (): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/permissions',
    summary: 'List the permissions that applications may hold',
    tags: ['Applications'],
    query: Type.Object({
      application_type: Type.Optional(ApplicationType),
    }),
    responses: { 200: Type.Array(Permission) },
    handle: ({ query }) => {
      const wanted = query.application_type;
      const held = permissions.filter(
        ({ applicationTypes }) => wanted === undefined || applicationTypes.includes(wanted),
      );
      const body = held.map(({ type, description, applicationTypes }) => ({
        type,
        description,
        application_types: applicationTypes,
      }));
      return Promise.resolve({ status: 200, body });
    },
  }),
];
