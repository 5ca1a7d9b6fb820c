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

/** @param holdings what the vault holds of the tenant now, for the receipt */
export function deleteTenant(
  state: TenantState,
  { keys, payloads }: { keys: readonly { purpose: string; version: number }[]; payloads: number },
): Decision<TenantEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  return [{ type: 'tenant.deleted', data: { id: state.id, keys: [...keys], payloads } }];
}

/** Says once that nothing is left. */
export function eraseTenant(state: TenantState): Decision<TenantEvent> {
  if (state.status !== 'deleted') return [];
  return [{ type: 'tenant.erased', data: { id: state.id, files_removed: true } }];
}
