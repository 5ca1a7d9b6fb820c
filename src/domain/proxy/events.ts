import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

export const proxyStream = (tenantId: string, id: string): string => `proxy-${tenantId}.${id}`;

const attributes = {
  name: Type.String(),
  /** Code of the proxy's own. */
  request_transform: Type.Optional(Type.String()),
  response_transform: Type.Optional(Type.String()),
  /** Reactors, which run where there is no such code. */
  request_reactor_id: Type.Optional(Type.String()),
  response_reactor_id: Type.Optional(Type.String()),
  /** The application whose rights the code is lent. */
  application_id: Type.Optional(Type.String()),
  require_auth: Type.Boolean(),
  /** Where the vault keeps key, destination and configuration. Never those themselves. */
  payload_id: Type.String(),
};

export const ProxyCreated = Type.Object({ id: Type.String(), ...attributes });
/** All attributes as they are after the update. */
export const ProxyUpdated = Type.Object({
  id: Type.String(),
  /** The payload that the update made superfluous. */
  previous_payload_id: Type.String(),
  ...attributes,
});
export const ProxyDeleted = Type.Object({ id: Type.String(), payload_id: Type.String() });

/** Says nothing new: its metadata has the MAC over what events before it left, which had none. */
export const ProxySigned = Type.Object({ id: Type.String() });

export type ProxyEvent =
  | DomainEvent<'proxy.created', Static<typeof ProxyCreated>>
  | DomainEvent<'proxy.updated', Static<typeof ProxyUpdated>>
  | DomainEvent<'proxy.deleted', Static<typeof ProxyDeleted>>
  | DomainEvent<'proxy.signed', Static<typeof ProxySigned>>;
