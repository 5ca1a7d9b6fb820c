import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

export const tenantStream = (tenantId: string): string => `tenant-${tenantId}.${tenantId}`;

export const TenantCreated = Type.Object({ id: Type.String(), name: Type.String() });

export type TenantEvent = DomainEvent<'tenant.created', Static<typeof TenantCreated>>;
