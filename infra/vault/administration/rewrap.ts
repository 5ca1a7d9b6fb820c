import type { Administration, OnProgress } from '#infra/vault/administration/administration.ts';
import { awaitReports, destroyRetired, retireUnused } from '#infra/vault/administration/retire.ts';
import { tenantsWithKeys } from '#infra/vault/administration/rotate.ts';
import { rewrapDataKey } from '#infra/vault/crypto/envelope.ts';
import type { TenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { loadTenantKeys } from '#infra/vault/keys/tenantKeys.ts';

const batch = 500;

export type Rewrapped = {
  payloads: number;
  /** Old key versions that no process uses and that wrap nothing any more. */
  retired: number;
  /** Versions retired earlier whose keys are gone for good now. */
  destroyed: number;
};

/**
 * Wraps the data key of every payload with its tenant's newest key version; ciphertext is not touched. Runs
 * beside writers and readers; stopped in the middle, the next run does the rest.
 */
export async function rewrapPayloads(
  administration: Administration,
  tenantId: string | undefined,
  onProgress: OnProgress,
): Promise<Rewrapped> {
  const tenants = await tenantsWithKeys(administration, tenantId);
  await awaitReports(administration.pool);
  const total = await countOutdated(administration, tenants);
  let payloads = 0;
  for (const tenant of tenants) {
    for await (const rewrapped of rewrapTenant(administration, tenant)) {
      payloads += rewrapped;
      onProgress({ done: payloads, total: Math.max(total, payloads) });
    }
  }
  const retired = await retireUnused(administration.pool, tenants);
  const destroyed = await destroyRetired(administration.pool, tenants);
  return { payloads, retired, destroyed };
}

type Outdated = { id: string; wrapped_key: Buffer };

/** Goes through a tenant's payloads by id; yields how many each batch changed. */
async function* rewrapTenant(administration: Administration, tenantId: string): AsyncGenerator<number> {
  const keys = await loadTenantKeys(administration.pool, administration, tenantId);
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await administration.pool.query<Outdated>(
      `select id, wrapped_key from vault.payloads
       where tenant_id = $1 and id > $2 and key_version <> $3 order by id limit ${batch}`,
      [tenantId, after, keys.active.version],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield await rewrapRows(administration, tenantId, keys, rows);
    after = last.id;
  }
}

async function rewrapRows(
  { pool, environment }: Administration,
  tenantId: string,
  keys: TenantKeys,
  rows: readonly Outdated[],
): Promise<number> {
  const rewrapped = rows.map(({ id, wrapped_key }) =>
    rewrapDataKey(
      { environment, tenantId, payloadId: id },
      (version) => keys.data.get(version),
      keys.active,
      wrapped_key,
    ),
  );
  const { rowCount } = await pool.query(
    `update vault.payloads p set key_version = $2, wrapped_key = n.wrapped_key
     from unnest($3::uuid[], $4::bytea[], $5::bytea[]) n (id, old_wrapped_key, wrapped_key)
     where p.tenant_id = $1 and p.id = n.id and p.wrapped_key = n.old_wrapped_key`,
    [tenantId, keys.active.version, rows.map((row) => row.id), rows.map((row) => row.wrapped_key), rewrapped],
  );
  return rowCount ?? 0;
}

async function countOutdated({ pool }: Administration, tenants: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ outdated: number }>(
    `select count(*)::int4 as outdated from vault.payloads p
     join vault.tenant_keys k on k.tenant_id = p.tenant_id and k.version = p.key_version
     where k.purpose = 'data' and k.state <> 'active' and p.tenant_id = any($1::uuid[])`,
    [tenants],
  );
  return rows[0]?.outdated ?? 0;
}
