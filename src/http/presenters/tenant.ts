import type { LiveTenant } from '#domain/tenant/state.ts';
import type { Usage } from '#queries/tenant/usage.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';

export type TenantType = 'test' | 'production';

/**
 * A tenant as it goes out. Source: reference of tenants.
 * @param ownerId undefined: no member is the owner. Clients want an id, and are given the tenant's own, which is nobody's
 */
export const presentTenant = (tenant: LiveTenant, ownerId: string | undefined, type: TenantType): object =>
  withoutNulls({
    id: tenant.id,
    owner_id: ownerId ?? tenant.id,
    type,
    name: tenant.name,
    settings: tenant.settings,
    created_by: tenant.createdBy,
    created_at: tenant.createdAt,
    modified_by: tenant.modifiedBy,
    modified_at: tenant.modifiedAt,
  });

/** The usage report as it goes out: `total_tokens` is where later client libraries look. */
export const presentUsage = ({ byType, totalTokens, monthlyActiveTokens }: Usage): object => ({
  token_report: {
    metrics_by_type: Object.fromEntries(
      byType.map(({ type, count, lastCreatedAt }) => [
        type,
        { count, last_created_at: lastCreatedAt.toISOString() },
      ]),
    ),
    // Nothing is paid for here, so nothing is included.
    included_monthly_active_tokens: 0,
    monthly_active_tokens: monthlyActiveTokens,
    total_tokens: totalTokens,
  },
  total_tokens: totalTokens,
});
