import type pg from 'pg';
import type { Clock } from '#ports/clock.ts';
import type { KeyProvider } from '#ports/keyProvider.ts';
import type { Logger } from '#ports/logger.ts';
import type { Vault } from '#ports/vault.ts';
import { blindIndexOf, fingerprintOf } from '#infra/vault/crypto/digests.ts';
import { createDataKeys } from '#infra/vault/dataKeys/dataKeys.ts';
import { findPayloads } from '#infra/vault/fingerprints/findPayloads.ts';
import { destroyTenantKeys } from '#infra/vault/keys/destroyTenantKeys.ts';
import { tenantHoldings } from '#infra/vault/keys/holdings.ts';
import { createKeyring } from '#infra/vault/keys/keyring.ts';
import { createKeyReports } from '#infra/vault/keys/processes.ts';
import { createTenantKeys, loadTenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { deleteRows } from '#infra/vault/payloads/deleteRows.ts';
import { createRead } from '#infra/vault/payloads/readPayloads.ts';
import { createStore } from '#infra/vault/payloads/storePayloads.ts';
import { createEpochKeys } from '#infra/vault/shortLived/epochKeys.ts';

export type VaultSettings = {
  /** Connections in the role `holdfast_vault`. */
  pool: pg.Pool;
  keyProvider: KeyProvider;
  clock: Clock;
  /** Bound into every ciphertext: what one environment wrote does not open in another. */
  environment: string;
  logger: Logger;
};

export type RunningVault = Vault & {
  /** Takes part in key rotation: reports to the others, and hears of changes. @throws StoreUnavailable */
  start(): Promise<void>;
  close(): Promise<void>;
};

export function createVault({ pool, keyProvider, clock, environment, logger }: VaultSettings): RunningVault {
  const holder = { keyProvider, environment };
  const keyring = createKeyring((tenantId) => loadTenantKeys(pool, holder, tenantId));
  const dataKeys = createDataKeys(pool, environment);
  const epochKeys = createEpochKeys(pool, environment);
  const reports = createKeyReports(pool, keyring, logger);
  const store = createStore({ pool, environment, clock, keyring, dataKeys, epochKeys });

  return {
    createTenantKeys: (tenantId) => createTenantKeys(pool, holder, tenantId),
    holdings: (tenantId) => tenantHoldings(pool, tenantId),
    destroyTenantKeys: async (tenantId) => {
      await destroyTenantKeys(pool, tenantId);
      keyring.drop(tenantId);
    },
    store,
    storeAll: async (payloads) => {
      const outcomes = await Promise.allSettled(payloads.map(store));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    },
    read: createRead({ pool, environment, clock, keyring, dataKeys, epochKeys }),
    remove: (tenantId, ids) => (ids.length === 0 ? Promise.resolve() : deleteRows(pool, tenantId, ids)),
    findByFingerprint: (tenantId, fingerprint) => findPayloads(pool, tenantId, fingerprint),
    fingerprint: async (tenantId, type, rendered, expression) =>
      fingerprintOf((await keyring.of(tenantId)).fingerprint, type, rendered, expression),
    blindIndex: async (tenantId, rendered) => blindIndexOf((await keyring.of(tenantId)).index, rendered),
    start: reports.start,
    close: reports.close,
  };
}
