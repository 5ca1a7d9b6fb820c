import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

export const connectionStream = (tenantId: string, id: string): string => `connection-${tenantId}.${id}`;

const attributes = {
  display_name: Type.String(),
  /** Upper case, two letters each. */
  accepted_countries: Type.Array(Type.String()),
  /** Upper case, three letters each. */
  accepted_currencies: Type.Array(Type.String()),
  active: Type.Boolean(),
  /** Where the vault keeps the fields, secret or not. Never those themselves. */
  payload_id: Type.String(),
};

export const ConnectionCreated = Type.Object({
  id: Type.String(),
  connection_formula_id: Type.String(),
  method: Type.String(),
  three_d_secure_enabled: Type.Boolean(),
  ...attributes,
});
/** All attributes as they are after the update. */
export const ConnectionUpdated = Type.Object({
  id: Type.String(),
  /** The payload that the update made superfluous; absent when the fields stayed. */
  previous_payload_id: Type.Optional(Type.String()),
  ...attributes,
});
/** What a check of the credentials found, and which credentials it looked at. */
const checked = { id: Type.String(), payload_id: Type.String() };
export const ConnectionAvailable = Type.Object(checked);
export const ConnectionFailed = Type.Object({ ...checked, error_code: Type.Optional(Type.String()) });
/** Its fields are kept until what is under way through it has ended. */
export const ConnectionDeleted = Type.Object({ id: Type.String(), payload_id: Type.String() });
/** Nothing is under way any more: the fields go, too. */
export const ConnectionForgotten = Type.Object({ id: Type.String(), payload_id: Type.String() });

export type ConnectionEvent =
  | DomainEvent<'connection.created', Static<typeof ConnectionCreated>>
  | DomainEvent<'connection.updated', Static<typeof ConnectionUpdated>>
  | DomainEvent<'connection.available', Static<typeof ConnectionAvailable>>
  | DomainEvent<'connection.failed', Static<typeof ConnectionFailed>>
  | DomainEvent<'connection.deleted', Static<typeof ConnectionDeleted>>
  | DomainEvent<'connection.forgotten', Static<typeof ConnectionForgotten>>;
