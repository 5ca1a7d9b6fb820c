import Type from 'typebox';
import type { Static } from 'typebox';
import { Transform } from '#domain/application/events.ts';
import type { DomainEvent } from '#domain/event.ts';

export const sessionStream = (tenantId: string, id: string): string => `session-${tenantId}.${id}`;

/** What a token must be like for a rule to cover it. */
export const Condition = Type.Object({
  attribute: Type.Union([Type.Literal('id'), Type.Literal('container')]),
  operator: Type.Union([Type.Literal('equals'), Type.Literal('starts_with')]),
  value: Type.String(),
});
export type Condition = Static<typeof Condition>;

/** A rule of a session: it covers a container and everything below, or what meets all its conditions. */
export const SessionRule = Type.Object({
  description: Type.String(),
  /** 1 is looked at first; unique within the session. */
  priority: Type.Integer(),
  container: Type.Optional(Type.String()),
  conditions: Type.Optional(Type.Array(Condition)),
  transform: Transform,
  permissions: Type.Array(Type.String()),
  /** Of these, the ones that go beyond what the application holds that vouches for it; for one token. */
  lends: Type.Optional(Type.Array(Type.String())),
});
export type SessionRule = Static<typeof SessionRule>;

export const SessionCreated = Type.Object({
  id: Type.String(),
  /** The public application that opened it. */
  application_id: Type.String(),
  /** ISO 8601. */
  expires_at: Type.String(),
});
export const SessionAuthorized = Type.Object({
  id: Type.String(),
  /** The private application that vouches for it. */
  application_id: Type.String(),
  permissions: Type.Array(Type.String()),
  rules: Type.Array(SessionRule),
  /** ISO 8601. */
  expires_at: Type.String(),
});
export const SessionExpired = Type.Object({ id: Type.String() });

/** Says nothing new: its metadata has the MAC over what events before it left, which had none. */
export const SessionSigned = Type.Object({ id: Type.String() });

export type SessionEvent =
  | DomainEvent<'session.created', Static<typeof SessionCreated>>
  | DomainEvent<'session.authorized', Static<typeof SessionAuthorized>>
  | DomainEvent<'session.expired', Static<typeof SessionExpired>>
  | DomainEvent<'session.signed', Static<typeof SessionSigned>>;
