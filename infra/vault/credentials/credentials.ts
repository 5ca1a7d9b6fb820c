import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import type { Credentials, StoredCredential } from '#ports/credentials.ts';
import type { IntegrityAlarm } from '#ports/integrityAlarm.ts';
import type { KeyProvider } from '#ports/keyProvider.ts';
import { IntegrityError } from '#ports/vault.ts';
import { reachable } from '#infra/postgres/failure.ts';
import { createBatches } from '#infra/vault/batches.ts';
import { credentialMac } from '#infra/vault/credentials/credentialMac.ts';
import type { CredentialRow } from '#infra/vault/credentials/credentialMac.ts';
import { generateKey, isProxyKey, isSessionKey, isWellFormed } from '#infra/vault/credentials/keyFormat.ts';
import { onceLoaded } from '#infra/vault/keys/onceLoaded.ts';
import { loadSystemKey } from '#infra/vault/keys/systemKey.ts';
import { inTenant } from '#infra/vault/tenantStatement.ts';
import { isSameMac } from '#infra/vault/signing/stateSigner.ts';

export type CredentialsSettings = {
  /** Connections in the role `holdfast_vault`. */
  pool: pg.Pool;
  keyProvider: KeyProvider;
  /** Part of every key: 1 to 32 letters and digits. */
  environment: string;
  /** The system key `rights`. */
  macKey: () => Promise<KeyObject>;
  alarm: IntegrityAlarm;
};

type Row = CredentialRow & { mac: string | null };

const lookupsAtOnce = 2;
const lookupLimit = 500;

export function createCredentials({
  pool,
  keyProvider,
  environment,
  macKey,
  alarm,
}: CredentialsSettings): Credentials {
  const digestKey = onceLoaded(() => loadSystemKey(pool, { keyProvider, environment }, 'credentials'));
  const digestOf = async (key: string): Promise<Buffer> =>
    createHmac('sha256', await digestKey())
      .update(key)
      .digest();

  const lookUp = createBatches<Buffer, readonly Row[]>({
    run: async (_, digests) => {
      const { rows } = await reachable(() =>
        pool.query<Row>({
          name: 'vault find credentials',
          // Row-level security shows the credentials that the setting names; see `tenantStatement.ts` on the order.
          text: `with asked as materialized (
              select set_config('hf.digests', $1::bytea[]::text, true)::bytea[] as digests
            )
            select found.* from asked cross join lateral (
              select tenant_id, application_id, key_id, digest, mac from vault.credentials
              where digest = any(asked.digests) offset 0
            ) as found`,
          values: [digests],
        }),
      );
      return digests.map(() => rows);
    },
    weight: () => 1,
    limit: lookupLimit,
    atOnce: lookupsAtOnce,
    mayBlameOne: () => false,
  });

  return {
    generate: (type) => generateKey(environment, type),
    wellFormed: isWellFormed,
    isSession: isSessionKey,
    isProxy: isProxyKey,
    store: async (credential, key) => {
      await insert(pool, await macKey(), credential, await digestOf(key));
    },
    find: async (key) => {
      if (!isWellFormed(key)) return undefined;
      const digest = await digestOf(key);
      const rows = await lookUp('', digest);
      const row = rows.find((candidate) => timingSafeEqual(candidate.digest, digest));
      if (row === undefined) return undefined;
      const { tenant_id: tenantId, application_id: applicationId, key_id: keyId, mac } = row;
      if (!isSameMac(mac, credentialMac(await macKey(), row))) {
        const what = mac === null ? 'no mac' : 'mac';
        alarm({ kind: 'credential', name: `${tenantId} ${keyId}`, what });
        throw new IntegrityError('a credential does not carry the MAC that it was stored with');
      }
      return { tenantId, applicationId, keyId };
    },
    removeKey: (tenantId, keyId) =>
      change(pool, 'delete from vault.credentials where tenant_id = $1 and key_id = $2', [tenantId, keyId]),
    removeTenant: (tenantId) =>
      change(pool, 'delete from vault.credentials where tenant_id = $1', [tenantId]),
    removeApplication: (tenantId, applicationId) =>
      change(pool, 'delete from vault.credentials where tenant_id = $1 and application_id = $2', [
        tenantId,
        applicationId,
      ]),
  };
}

/** Runs a statement on the credentials of a tenant, its first value. */
async function change(
  pool: pg.Pool,
  statement: string,
  values: [tenantId: string, ...others: unknown[]],
): Promise<void> {
  await reachable(() => inTenant(pool, values[0], (client) => client.query(statement, values)));
}

async function insert(
  pool: pg.Pool,
  macKey: KeyObject,
  { tenantId, applicationId, keyId }: StoredCredential,
  digest: Buffer,
): Promise<void> {
  const row = { tenant_id: tenantId, application_id: applicationId, key_id: keyId, digest };
  await change(
    pool,
    `insert into vault.credentials (tenant_id, application_id, key_id, digest, mac) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, key_id) do update
       set application_id = excluded.application_id, digest = excluded.digest, mac = excluded.mac`,
    [tenantId, applicationId, keyId, digest, credentialMac(macKey, row)],
  );
}
