import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { inTenant } from '#infra/vault/tenantStatement.ts';
import type { TenantHoldings } from '#ports/vault.ts';

/** What the vault has of a tenant. @throws StoreUnavailable */
export function tenantHoldings(pool: pg.Pool, tenantId: string): Promise<TenantHoldings> {
  return reachable(() =>
    inTenant(pool, tenantId, async (client) => {
      const keys = await client.query<{ purpose: string; version: number }>(
        'select purpose, version from vault.tenant_keys where tenant_id = $1 order by purpose, version',
        [tenantId],
      );
      const payloads = await client.query<{ count: string }>(
        'select count(*) from vault.payloads where tenant_id = $1',
        [tenantId],
      );
      return { keys: keys.rows, payloads: Number(payloads.rows[0]?.count ?? 0) };
    }),
  );
}
