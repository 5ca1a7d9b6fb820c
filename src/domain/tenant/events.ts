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

/** The receipt: what the vault held of the tenant, all of which is destroyed. */
export const TenantDeleted = Type.Object({
  id: Type.String(),
  keys: Type.Array(Type.Object({ purpose: Type.String(), version: Type.Integer() })),
  /** Ciphertexts that nothing opens any more. */
  payloads: Type.Integer(),
});
/** Its keys are gone, from now on for certain. */
export const TenantErased = Type.Object({
  id: Type.String(),
  /** Whether its files were removed too; absent: it was erased before there were any. */
  files_removed: Type.Optional(Type.Boolean()),
});

/** Says nothing new: its metadata has the MAC over what events before it left, which had none. */
export const TenantSigned = Type.Object({ id: Type.String() });

export type TenantEvent =
  | DomainEvent<'tenant.created', Static<typeof TenantCreated>>
  | DomainEvent<'tenant.updated', Static<typeof TenantUpdated>>
  | DomainEvent<'tenant.deleted', Static<typeof TenantDeleted>>
  | DomainEvent<'tenant.erased', Static<typeof TenantErased>>
  | DomainEvent<'tenant.signed', Static<typeof TenantSigned>>;
