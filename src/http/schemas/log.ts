import Type from 'typebox';
import { Pagination } from '#http/schemas/pagination.ts';

const text = Type.Optional(Type.String());
const time = Type.String({ format: 'date-time' });

/** Source: reference of logs. */
export const Log = Type.Object(
  {
    id: Type.String(),
    tenant_id: Type.String({ format: 'uuid' }),
    actor_id: text,
    actor_type: Type.String({ examples: ['application', 'operator', 'system', 'anonymous'] }),
    key_id: text,
    entity_type: Type.String({ examples: ['token'] }),
    entity_id: Type.String({ description: 'Empty when it was about none in particular.' }),
    operation: Type.String({ examples: ['read', 'create'] }),
    outcome: Type.Union([Type.Literal('succeeded'), Type.Literal('refused')]),
    status: Type.Optional(
      Type.Integer({ description: 'The HTTP status of the answer, when there was one.' }),
    ),
    detail: Type.Optional(
      Type.String({
        description:
          'Of a token that was read: how it was shown. Of a change: its event. Of a first page of the log: its newest entry.',
      }),
    ),
    message: Type.String({ examples: ['Token retrieved'] }),
    client_address: text,
    trace_id: text,
    created_at: time,
  },
  { $id: 'Log' },
);

/** The envelope of the log: numbered pages, and a cursor. */
export const LogList = Type.Object({
  pagination: Type.Object({
    ...Pagination.properties,
    after: Type.Optional(Type.String({ description: 'The same as `next`.' })),
    next: Type.Optional(Type.String({ description: 'Where to go on; absent at the end.' })),
  }),
  data: Type.Array(Log),
});

/** Something that happened to a token or an application. */
export const HistoryEvent = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    type: Type.String({ examples: ['token.updated'] }),
    revision: Type.Integer({ description: 'Its number in the history, from 0.' }),
    actor_id: Type.String(),
    actor_type: Type.String(),
    key_id: text,
    client_address: text,
    trace_id: Type.String(),
    created_at: time,
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'What it says; it holds no secrets.' }),
  },
  { $id: 'HistoryEvent' },
);
