import { createHmac, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import type { Credentials, StoredCredential } from '#ports/credentials.ts';
import type { KeyProvider } from '#ports/keyProvider.ts';
import { reachable } from '#infra/postgres/failure.ts';
import { createBatches } from '#infra/vault/batches.ts';
import { generateKey, isProxyKey, isSessionKey, isWellFormed } from '#infra/vault/credentials/keyFormat.ts';
import { onceLoaded } from '#infra/vault/keys/onceLoaded.ts';
import { loadSystemKey } from '#infra/vault/keys/systemKey.ts';

export type CredentialsSettings = {
  /** Connections in the role `holdfast_vault`. */
  pool: pg.Pool;
  keyProvider: KeyProvider;
  /** Part of every key: 1 to 32 letters and digits. */
  environment: string;
};

type Row = { tenant_id: string; application_id: string; key_id: string; digest: Buffer };

const lookupsAtOnce = 2;
const lookupLimit = 500;

export function createCredentials({ pool, keyProvider, environment }: CredentialsSettings): Credentials {
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
          text: `select tenant_id, application_id, key_id, digest from vault.credentials
            where digest = any($1::bytea[])`,
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
      await insert(pool, credential, await digestOf(key));
    },
    find: async (key) => {
      if (!isWellFormed(key)) return undefined;
      const digest = await digestOf(key);
      const rows = await lookUp('', digest);
      const row = rows.find((candidate) => timingSafeEqual(candidate.digest, digest));
      return row && { tenantId: row.tenant_id, applicationId: row.application_id, keyId: row.key_id };
    },
    removeKey: async (tenantId, keyId) => {
      await reachable(() =>
        pool.query('delete from vault.credentials where tenant_id = $1 and key_id = $2', [tenantId, keyId]),
      );
    },
    removeTenant: async (tenantId) => {
      await reachable(() => pool.query('delete from vault.credentials where tenant_id = $1', [tenantId]));
    },
    removeApplication: async (tenantId, applicationId) => {
      await reachable(() =>
        pool.query('delete from vault.credentials where tenant_id = $1 and application_id = $2', [
          tenantId,
          applicationId,
        ]),
      );
    },
  };
}

async function insert(
  pool: pg.Pool,
  { tenantId, applicationId, keyId }: StoredCredential,
  digest: Buffer,
): Promise<void> {
  await reachable(() =>
    pool.query(
      `insert into vault.credentials (tenant_id, application_id, key_id, digest) values ($1, $2, $3, $4)
       on conflict (tenant_id, key_id) do update
         set application_id = excluded.application_id, digest = excluded.digest`,
      [tenantId, applicationId, keyId, digest],
    ),
  );
}
