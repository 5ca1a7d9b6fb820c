import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

export const tenantStream = (tenantId: string): string => `tenant-${tenantId}.${tenantId}`;

export const TenantCreated = Type.Object({ id: Type.String(), name: Type.String() });
/** Name and settings as they are after the update. */
export const TenantUpdated = Type.Object({
  id: Type.String(),
  name: Type.String(),
  settings: Type.Record(Type.String(), Type.String()),
});

export type TenantEvent =
  | DomainEvent<'tenant.created', Static<typeof TenantCreated>>
  | DomainEvent<'tenant.updated', Static<typeof TenantUpdated>>;
