import type pg from 'pg';
import type { Clock } from '#ports/clock.ts';
import type { StoredPayload } from '#ports/vault.ts';
import { createBatches } from '#infra/vault/batches.ts';
import { keyVersionOf, openPayload } from '#infra/vault/crypto/envelope.ts';
import type { Keyring } from '#infra/vault/keys/keyring.ts';
import type { TenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { selectRows } from '#infra/vault/payloads/selectRows.ts';
import type { StoredRow } from '#infra/vault/payloads/selectRows.ts';
import type { EpochKeys } from '#infra/vault/shortLived/epochKeys.ts';
import { hasPassed } from '#infra/vault/shortLived/epochs.ts';
import { openPart } from '#infra/vault/shortLived/part.ts';

/** One statement asks for at most this many payloads. */
const batchIds = 500;
const statementsAtOnce = 2;

export type ReadSettings = {
  pool: pg.Pool;
  environment: string;
  clock: Clock;
  keyring: Keyring;
  epochKeys: EpochKeys;
};

/** Reads payloads of a tenant; concurrent calls share statements. */
export function createRead(
  settings: ReadSettings,
): (tenantId: string, ids: readonly string[]) => Promise<Map<string, StoredPayload>> {
  const { pool, clock } = settings;
  const select = createBatches<readonly string[], Map<string, StoredRow>>({
    run: async (tenantId, wanted) => {
      const rows = await selectRows(pool, tenantId, [...new Set(wanted.flat())], clock.now());
      const byId = new Map(rows.map((row) => [row.id, row]));
      return wanted.map(() => byId);
    },
    weight: (ids) => ids.length,
    limit: batchIds,
    atOnce: statementsAtOnce,
    mayBlameOne: () => false,
  });

  return async (tenantId, ids) => {
    if (ids.length === 0) return new Map();
    const rows = await select(tenantId, ids);
    const found = new Map<string, StoredPayload>();
    for (const id of ids) {
      const row = rows.get(id);
      if (row !== undefined) found.set(id, toPayload(settings, tenantId, row));
    }
    return found;
  };
}

function toPayload(settings: ReadSettings, tenantId: string, row: StoredRow): StoredPayload {
  const { environment, clock, keyring, epochKeys } = settings;
  const place = { environment, tenantId, payloadId: row.id };
  const { epoch, epoch_key_id, part, stored_at } = row;
  return {
    id: row.id,
    fingerprint: row.fingerprint,
    data: async () => {
      const keys = await keysFor(keyring, tenantId, keyVersionOf(row.wrapped_key));
      const sealed = { wrappedKey: row.wrapped_key, ciphertext: row.ciphertext };
      return openPayload(place, (version) => keys.data.get(version), sealed);
    },
    shortLived: async () => {
      if (epoch === null || epoch_key_id === null || part === null || stored_at === null) return undefined;
      if (hasPassed(stored_at, clock.now())) return undefined;
      const keys = await keyring.of(tenantId);
      const key = await epochKeys.forReading(tenantId, keys, Number(epoch), epoch_key_id);
      if (key === undefined) return undefined;
      return { value: openPart(place, key, part, stored_at), storedAt: stored_at };
    },
  };
}

/** A version that this process does not know yet was made by a rotation elsewhere. */
async function keysFor(keyring: Keyring, tenantId: string, version: number): Promise<TenantKeys> {
  const keys = await keyring.of(tenantId);
  if (keys.data.has(version)) return keys;
  keyring.refuse(tenantId, keys);
  return keyring.of(tenantId);
}
