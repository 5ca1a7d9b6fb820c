import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

/** `token-<tenant>.<id>`: the id is checked to hold no card or account number before it gets here. */
export const tokenStream = (tenantId: string, id: string): string => `token-${tenantId}.${id}`;

const containers = Type.Array(Type.String());

const attributes = {
  /** Where the vault keeps data, fingerprint and blind indexes. Never the data itself. */
  payload_id: Type.String(),
  /** Absent: reads under the mask transform show no data. */
  mask: Type.Optional(Type.Unknown()),
  containers,
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  search_indexes: Type.Optional(Type.Array(Type.String())),
  fingerprint_expression: Type.String(),
  /** ISO 8601 with the caller's offset. */
  expires_at: Type.Optional(Type.String()),
};

export const TokenCreated = Type.Object({ id: Type.String(), type: Type.String(), ...attributes });
/** Every attribute as it is after the update; an absent one has none. */
export const TokenUpdated = Type.Object({
  id: Type.String(),
  previous_payload_id: Type.String(),
  previous_containers: Type.Optional(containers),
  /** What an update does not change; absent of old events. */
  type: Type.Optional(Type.String()),
  created_by: Type.Optional(Type.String()),
  /** ISO 8601. */
  created_at: Type.Optional(Type.String()),
  ...attributes,
});
/** What went with the token, for those who count. */
const ended = {
  id: Type.String(),
  payload_id: Type.String(),
  type: Type.Optional(Type.String()),
  containers: Type.Optional(containers),
};
export const TokenDeleted = Type.Object(ended);
export const TokenExpired = Type.Object(ended);

/** A part of the data had its time: a card verification code after an hour. spec: CVC retention */
export const TokenPropertyExpired = Type.Object({
  id: Type.String(),
  payload_id: Type.String(),
  /** `cvc` */
  property_name: Type.String(),
});

export type TokenEvent =
  | DomainEvent<'token.created', Static<typeof TokenCreated>>
  | DomainEvent<'token.updated', Static<typeof TokenUpdated>>
  | DomainEvent<'token.deleted', Static<typeof TokenDeleted>>
  | DomainEvent<'token.expired', Static<typeof TokenExpired>>
  | DomainEvent<'token.property.expired', Static<typeof TokenPropertyExpired>>;
