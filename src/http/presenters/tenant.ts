import type { LiveTenant } from '#domain/tenant/state.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';

/** A tenant as it goes out. Source: reference of tenants. */
export const presentTenant = (tenant: LiveTenant): object =>
  withoutNulls({
    id: tenant.id,
    name: tenant.name,
    settings: tenant.settings,
    created_by: tenant.createdBy,
    created_at: tenant.createdAt,
    modified_by: tenant.modifiedBy,
    modified_at: tenant.modifiedAt,
  });
