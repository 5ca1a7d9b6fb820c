import type { Administration, OnProgress } from '#infra/vault/administration/administration.ts';
import { awaitReports, destroyRetired, retireUnused } from '#infra/vault/administration/retire.ts';
import { rotateDataKeys, tenantsWithKeys } from '#infra/vault/administration/rotate.ts';
import { sealPayload } from '#infra/vault/crypto/envelope.ts';
import type { PayloadPlace } from '#infra/vault/crypto/envelope.ts';
import { createDataKeys } from '#infra/vault/dataKeys/dataKeys.ts';
import type { DataKeys } from '#infra/vault/dataKeys/dataKeys.ts';
import { loadTenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import type { TenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { openRow } from '#infra/vault/payloads/openRow.ts';
import { IntegrityError } from '#ports/vault.ts';

const batch = 500;

/** Whether the stream's record keeps the payload, by the event log. */
export type IsKeptBy = (stream: string, payloadId: string) => Promise<boolean>;

export type Rewrapped = {
  payloads: number;
  /**
   * Payloads that stay as they are: those that cannot be decrypted, and those of earlier versions that go by
   * themselves within days, or whose record does not name them.
   */
  left: number;
  /** Old key versions that no process uses and that nothing is encrypted under any more. */
  retired: number;
  /** Versions retired earlier whose keys are gone for good now. */
  destroyed: number;
};

export type RewrapOptions = { isKeptBy: IsKeptBy; onProgress: OnProgress };

/**
 * Encrypts every payload anew under the newest version of its tenant's keys. What earlier versions sealed is bound to
 * its record by that; a tenant that has such payloads under its newest version gets a next one first, so that no key
 * which opens them lasts. Runs beside writers and readers; stopped in the middle, the next run does the rest.
 */
export async function rewrapPayloads(
  administration: Administration,
  tenantId: string | undefined,
  { isKeptBy, onProgress }: RewrapOptions,
): Promise<Rewrapped> {
  const tenants = await tenantsWithKeys(administration, tenantId);
  for (const tenant of await tenantsOfOldEnvelopes(administration, tenants)) {
    await rotateDataKeys(administration, tenant, () => undefined);
  }
  await awaitReports(administration.pool);
  const total = await countOutdated(administration, tenants);
  const dataKeys = createDataKeys(administration.pool, administration.environment);
  const done = { payloads: 0, left: 0 };
  for (const tenant of tenants) {
    for await (const { payloads, left } of rewrapTenant(administration, dataKeys, tenant, isKeptBy)) {
      done.payloads += payloads;
      done.left += left;
      onProgress({ done: done.payloads, total: Math.max(total, done.payloads) });
    }
  }
  const retired = await retireUnused(administration.pool, tenants);
  const destroyed = await destroyRetired(administration.pool, tenants);
  return { ...done, retired, destroyed };
}

type Outdated = {
  id: string;
  stream: string;
  key_version: number;
  salt: Buffer | null;
  wrapped_key: Buffer | null;
  ciphertext: Buffer;
  expires: boolean;
};

type Done = Pick<Rewrapped, 'payloads' | 'left'>;

/** Goes through a tenant's payloads by id; yields what became of each batch. */
async function* rewrapTenant(
  administration: Administration,
  dataKeys: DataKeys,
  tenantId: string,
  isKeptBy: IsKeptBy,
): AsyncGenerator<Done> {
  const keys = await loadTenantKeys(administration.pool, administration, tenantId);
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await administration.pool.query<Outdated>(
      `select id, stream, key_version, salt, wrapped_key, ciphertext, expires_at is not null as expires
       from vault.payloads
       where tenant_id = $1 and id > $2 and key_version <> $3 order by id limit ${batch}`,
      [tenantId, after, keys.active.version],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    const sealed = await Promise.all(
      rows.map(async (row) => {
        const isKept = row.wrapped_key === null || (!row.expires && (await isKeptBy(row.stream, row.id)));
        return isKept ? resealed(administration, dataKeys, keys, tenantId, row) : undefined;
      }),
    );
    const changed = sealed.filter((row) => row !== undefined);
    const payloads = await replace(administration, tenantId, keys, changed);
    yield { payloads, left: rows.length - changed.length };
    after = last.id;
  }
}

type Resealed = { id: string; before: Buffer; salt: Buffer; ciphertext: Buffer };

/** Undefined for what cannot be decrypted: `holdfast verify` names it, and the others are not to wait for it. */
async function resealed(
  { environment }: Administration,
  dataKeys: DataKeys,
  keys: TenantKeys,
  tenantId: string,
  row: Outdated,
): Promise<Resealed | undefined> {
  const { id, stream, key_version: keyVersion, salt, wrapped_key: wrappedKey, ciphertext: before } = row;
  const place: PayloadPlace = { environment, tenantId, stream, payloadId: id };
  const keysOf = (): Promise<TenantKeys> => Promise.resolve(keys);
  try {
    const data = await openRow({ keysOf, dataKeys }, place, {
      keyVersion,
      salt,
      wrappedKey,
      ciphertext: before,
    });
    const dataKey = await dataKeys.forStoring(tenantId, keys, new Date());
    return { id, before, ...sealPayload(place, dataKey, data) };
  } catch (error) {
    if (error instanceof IntegrityError) return undefined;
    throw error;
  }
}

async function replace(
  { pool }: Administration,
  tenantId: string,
  keys: TenantKeys,
  rows: readonly Resealed[],
): Promise<number> {
  const { rowCount } = await pool.query(
    `update vault.payloads p set key_version = $2, wrapped_key = null, salt = n.salt, ciphertext = n.ciphertext
     from unnest($3::uuid[], $4::bytea[], $5::bytea[], $6::bytea[]) n (id, before, salt, ciphertext)
     where p.tenant_id = $1 and p.id = n.id and p.ciphertext = n.before`,
    [
      tenantId,
      keys.active.version,
      rows.map(({ id }) => id),
      rows.map(({ before }) => before),
      rows.map(({ salt }) => salt),
      rows.map(({ ciphertext }) => ciphertext),
    ],
  );
  return rowCount ?? 0;
}

/** Tenants whose newest version wraps the data key of a payload that is to be bound to its record. */
async function tenantsOfOldEnvelopes(
  { pool }: Administration,
  tenants: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{ tenant_id: string }>(
    `select k.tenant_id from vault.tenant_keys k
     where k.purpose = 'data' and k.state = 'active' and k.tenant_id = any($1::uuid[]) and exists (
       select from vault.payloads p
       where p.tenant_id = k.tenant_id and p.key_version = k.version and p.wrapped_key is not null
     )`,
    [tenants],
  );
  return rows.map((row) => row.tenant_id);
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
