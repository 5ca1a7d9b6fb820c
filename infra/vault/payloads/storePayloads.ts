import type pg from 'pg';
import type { Clock } from '#ports/clock.ts';
import { StoreUnavailable } from '#ports/readModels.ts';
import type { PayloadToStore } from '#ports/vault.ts';
import { createBatches } from '#infra/vault/batches.ts';
import { sealPayload } from '#infra/vault/crypto/envelope.ts';
import type { PayloadPlace } from '#infra/vault/crypto/envelope.ts';
import type { DataKeys } from '#infra/vault/dataKeys/dataKeys.ts';
import type { Keyring } from '#infra/vault/keys/keyring.ts';
import type { TenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { insertRows, KeysChanged } from '#infra/vault/payloads/insertRows.ts';
import type { PartRow, PayloadRow } from '#infra/vault/payloads/insertRows.ts';
import type { EpochKeys } from '#infra/vault/shortLived/epochKeys.ts';
import { epochOf, hasPassed } from '#infra/vault/shortLived/epochs.ts';
import { sealPart } from '#infra/vault/shortLived/part.ts';

/** One statement carries at most this much ciphertext, in bytes. */
const batchBytes = 4_000_000;
const rowOverhead = 400;
const attempts = 3;

export type StoreSettings = {
  pool: pg.Pool;
  environment: string;
  clock: Clock;
  keyring: Keyring;
  dataKeys: DataKeys;
  epochKeys: EpochKeys;
};

/** Encrypts and stores one payload; concurrent calls of a tenant share statements. */
export function createStore(settings: StoreSettings): (payload: PayloadToStore) => Promise<void> {
  const { pool, environment, clock, keyring, dataKeys } = settings;
  const insert = createBatches<PayloadRow, undefined>({
    run: async (tenantId, rows) => {
      const versions = Map.groupBy(rows, (row) => row.keyVersion);
      for (const ofVersion of versions.values()) await insertRows(pool, tenantId, ofVersion, clock.now());
      return rows.map(() => undefined);
    },
    weight: (row) => rowOverhead + row.ciphertext.length,
    limit: batchBytes,
    atOnce: 1,
    mayBlameOne: (error) => !(error instanceof StoreUnavailable || error instanceof KeysChanged),
  });

  const storeUnder = async (keys: TenantKeys, payload: PayloadToStore): Promise<void> => {
    const { id, tenantId, stream, data, fingerprint, blindIndexes, expiresAt } = payload;
    const place = { environment, tenantId, stream, payloadId: id };
    const part = payload.shortLived && (await toPart(settings, place, keys, payload.shortLived));
    const dataKey = await dataKeys.forStoring(tenantId, keys, clock.now());
    await insert(tenantId, {
      id,
      stream,
      ...sealPayload(place, dataKey, data),
      fingerprint: fingerprint ?? null,
      blindIndexes: blindIndexes ?? [],
      expiresAt: expiresAt ?? null,
      part,
    });
  };

  return async (payload) => {
    for (let attempt = 1; ; attempt += 1) {
      const keys = await keyring.of(payload.tenantId);
      try {
        await storeUnder(keys, payload);
        return;
      } catch (error) {
        if (!(error instanceof KeysChanged) || attempt === attempts) throw error;
        keyring.refuse(payload.tenantId, keys);
      }
    }
  };
}

async function toPart(
  { clock, epochKeys }: StoreSettings,
  place: PayloadPlace,
  keys: TenantKeys,
  { value, storedAt: given }: NonNullable<PayloadToStore['shortLived']>,
): Promise<PartRow | undefined> {
  const now = clock.now();
  if (hasPassed(given, now)) return undefined;
  const storedAt = given > now ? now : given;
  const epoch = epochOf(storedAt);
  const key = await epochKeys.forStoring(place.tenantId, keys, epoch);
  return { epoch, epochKeyId: key.id, ciphertext: sealPart(place, key, value, storedAt), storedAt };
}
