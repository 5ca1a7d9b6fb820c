import { TenantKeysMissing } from '#ports/vault.ts';
import type { Administration, OnProgress } from '#infra/vault/administration/administration.ts';
import { newKeyBytes } from '#infra/vault/crypto/seal.ts';
import { tenantKeyContext } from '#infra/vault/keys/tenantKeys.ts';
import { inTransaction } from '#infra/vault/tenantStatement.ts';

/**
 * Gives one tenant, or all, a new data key version for what is stored from now on. Running processes take it
 * up within seconds; what was stored before stays readable. Answers how many tenants got one.
 * @throws TenantKeysMissing when the tenant has no keys
 */
export async function rotateDataKeys(
  administration: Administration,
  tenantId: string | undefined,
  onProgress: OnProgress,
): Promise<number> {
  const tenants = await tenantsWithKeys(administration, tenantId);
  for (const [done, tenant] of tenants.entries()) {
    onProgress({ done, total: tenants.length });
    await rotateTenant(administration, tenant);
  }
  onProgress({ done: tenants.length, total: tenants.length });
  return tenants.length;
}

/** @throws TenantKeysMissing */
export async function tenantsWithKeys(
  { pool }: Administration,
  tenantId: string | undefined,
): Promise<string[]> {
  const { rows } = await pool.query<{ tenant_id: string }>(
    `select tenant_id from vault.tenant_keys
     where purpose = 'data' and state = 'active' and ($1::uuid is null or tenant_id = $1) order by tenant_id`,
    [tenantId ?? null],
  );
  if (tenantId !== undefined && rows.length === 0) throw new TenantKeysMissing('this tenant has no keys');
  return rows.map((row) => row.tenant_id);
}

async function rotateTenant(administration: Administration, tenantId: string): Promise<void> {
  await inTransaction(administration.pool, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      `select version from vault.tenant_keys where tenant_id = $1 and purpose = 'data' and state = 'active'
       for update`,
      [tenantId],
    );
    const [active] = rows;
    // Destroyed in between.
    if (active === undefined) return;
    const version = active.version + 1;
    const bytes = newKeyBytes();
    const context = tenantKeyContext(administration.environment, tenantId, 'data', version);
    const { rootKey, wrapped } = await administration.keyProvider.wrap(bytes, context);
    bytes.fill(0);
    await client.query('update vault.key_state set generation = generation + 1');
    await client.query(
      `update vault.tenant_keys set state = 'decrypt_only', generation = (select generation from vault.key_state)
       where tenant_id = $1 and purpose = 'data' and version = $2`,
      [tenantId, active.version],
    );
    await client.query(
      `insert into vault.tenant_keys (tenant_id, purpose, version, state, root_key, wrapped_key, generation)
       select $1, 'data', $2, 'active', $3, $4, generation from vault.key_state`,
      [tenantId, version, rootKey, wrapped],
    );
  });
}
