import type { Decision } from '#domain/event.ts';
import type { TenantEvent } from '#domain/tenant/events.ts';
import type { TenantSettings, TenantState } from '#domain/tenant/state.ts';

export function createTenant(
  state: TenantState,
  tenant: { id: string; name: string },
): Decision<TenantEvent> {
  if (state.status !== 'absent') return { refused: 'already_exists', detail: 'The tenant exists already.' };
  return [{ type: 'tenant.created', data: { id: tenant.id, name: tenant.name } }];
}

/** Replaces the name and, when they are given, all settings. */
export function updateTenant(
  state: TenantState,
  { name, settings }: { name: string; settings: TenantSettings | undefined },
): Decision<TenantEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  return [
    { type: 'tenant.updated', data: { id: state.id, name, settings: { ...(settings ?? state.settings) } } },
  ];
}
