/**
 * Wraps a statement so that row-level security sees the tenant `$1` from its first row on, without a
 * transaction of its own. The lateral subquery cannot be pulled up (offset 0) and refers to the tenant, so it
 * can only run after the setting is made.
 * @param text a SELECT that compares with `tenant.id`
 */
export function tenantScoped(text: string): string {
  if (!text.includes('tenant.id')) throw new Error('a tenant-scoped statement must compare with tenant.id');
  return `with tenant as materialized (select set_config('hf.tenant', $1, true)::uuid as id)
    select found.* from tenant cross join lateral (select * from (${text}) as inner_found offset 0) as found`;
}
