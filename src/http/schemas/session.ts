import Type from 'typebox';
import { Transform } from '#domain/application/events.ts';
import { Condition } from '#domain/session/events.ts';
import { closed } from '#http/schemas/closed.ts';
import { emptyable, unwritten } from '#http/schemas/emptyable.ts';
import { nullable } from '#http/schemas/nullable.ts';

/** Source: reference of sessions. */
export const Session = Type.Object(
  {
    session_key: Type.String({ description: 'Works as BT-API-KEY once the session is authorized.' }),
    nonce: Type.String({ description: 'Authorizes the session, once.' }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Session' },
);

// What is misspelt must not be overlooked: it may be what narrows the session.
const exact = { additionalProperties: false };
const condition = Type.Object(
  {
    ...Condition.properties,
    value: Type.String({ minLength: 1, maxLength: 400 }),
  },
  exact,
);

const rule = Type.Object(
  {
    description: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
    priority: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: '1 is looked at first; unique within the session.',
    }),
    container: Type.Optional(
      nullable(Type.String({ description: 'Covers this container and everything below it.' })),
    ),
    conditions: Type.Optional(
      emptyable(
        Type.Array(condition, {
          minItems: 1,
          maxItems: 20,
          description: 'Instead of a container: what a token must be like, all of it.',
        }),
      ),
    ),
    transform: Transform,
    permissions: Type.Array(Type.String(), { minItems: 1, maxItems: 50 }),
  },
  exact,
);

/** Source: reference of sessions. */
export const AuthorizeSession = closed({
  nonce: Type.String({ minLength: 1, maxLength: 100 }),
  permissions: Type.Optional(
    unwritten(Type.Array(Type.String(), { maxItems: 50, examples: [['token:read']] })),
  ),
  rules: Type.Optional(unwritten(Type.Array(rule, { maxItems: 100 }))),
  expires_at: Type.Optional(emptyable(Type.String({ maxLength: 100, description: 'ISO 8601.' }))),
});
