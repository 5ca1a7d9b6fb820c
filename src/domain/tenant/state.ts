import type { Fold } from '#domain/fold.ts';
import type { TenantEvent } from '#domain/tenant/events.ts';

export type TenantState =
  { status: 'absent' } | { status: 'live'; id: string; name: string; createdAt: string };

export const initialTenant: TenantState = { status: 'absent' };

/** Folds one event into the state of a tenant. */
export function evolveTenant(_state: TenantState, event: TenantEvent): TenantState {
  return {
    status: 'live',
    id: event.data.id,
    name: event.data.name,
    createdAt: event.metadata.occurred_at,
  };
}

export const tenantFold: Fold<TenantState, TenantEvent> = { initial: initialTenant, evolve: evolveTenant };
