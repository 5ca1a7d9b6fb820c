import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

export const reactorStream = (tenantId: string, id: string): string => `reactor-${tenantId}.${id}`;

const attributes = {
  name: Type.String(),
  code: Type.String(),
  /** The application whose rights the code is lent. */
  application_id: Type.Optional(Type.String()),
  /** Where the vault keeps the configuration. Never that itself. */
  payload_id: Type.String(),
};

export const ReactorCreated = Type.Object({ id: Type.String(), ...attributes });
/** All attributes as they are after the update. */
export const ReactorUpdated = Type.Object({
  id: Type.String(),
  /** The payload that the update made superfluous. */
  previous_payload_id: Type.String(),
  ...attributes,
});
export const ReactorDeleted = Type.Object({ id: Type.String(), payload_id: Type.String() });

/** Says nothing new: its metadata has the MAC over what events before it left, which had none. */
export const ReactorSigned = Type.Object({ id: Type.String() });

export type ReactorEvent =
  | DomainEvent<'reactor.created', Static<typeof ReactorCreated>>
  | DomainEvent<'reactor.updated', Static<typeof ReactorUpdated>>
  | DomainEvent<'reactor.deleted', Static<typeof ReactorDeleted>>
  | DomainEvent<'reactor.signed', Static<typeof ReactorSigned>>;
