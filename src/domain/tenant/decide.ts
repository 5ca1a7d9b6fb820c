import type { Decision } from '#domain/event.ts';
import type { TenantEvent } from '#domain/tenant/events.ts';
import type { TenantState } from '#domain/tenant/state.ts';

export function createTenant(
  state: TenantState,
  tenant: { id: string; name: string },
): Decision<TenantEvent> {
  if (state.status !== 'absent') return { refused: 'already_exists', detail: 'The tenant exists already.' };
  return [{ type: 'tenant.created', data: { id: tenant.id, name: tenant.name } }];
}
