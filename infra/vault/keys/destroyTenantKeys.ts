import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { inTenant } from '#infra/vault/tenantStatement.ts';

/**
 * Destroys a tenant's keys. What they opened stays where it is until a sweep takes it away, and is noise from
 * this moment on for every copy that does not include these rows and the root key.
 */
export function destroyTenantKeys(pool: pg.Pool, tenantId: string): Promise<void> {
  return reachable(() =>
    inTenant(pool, tenantId, async (client) => {
      await client.query(
        'insert into vault.destroyed_tenants (tenant_id) values ($1) on conflict do nothing',
        [tenantId],
      );
      await client.query('delete from vault.tenant_keys where tenant_id = $1', [tenantId]);
      await client.query('delete from vault.data_keys where tenant_id = $1', [tenantId]);
      await client.query('delete from vault.epoch_keys where tenant_id = $1', [tenantId]);
      await client.query('update vault.key_state set generation = generation + 1');
    }),
  );
}
