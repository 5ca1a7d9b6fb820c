import type pg from 'pg';
import type { Clock } from '#ports/clock.ts';
import type { PayloadReference, StoredPayload } from '#ports/vault.ts';
import { createBatches } from '#infra/vault/batches.ts';
import type { PayloadPlace } from '#infra/vault/crypto/envelope.ts';
import type { DataKeys } from '#infra/vault/dataKeys/dataKeys.ts';
import type { Keyring } from '#infra/vault/keys/keyring.ts';
import type { TenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { openRow } from '#infra/vault/payloads/openRow.ts';
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
  dataKeys: DataKeys;
  epochKeys: EpochKeys;
};

/** Reads payloads of a tenant; concurrent calls share statements. */
export function createRead(
  settings: ReadSettings,
): (tenantId: string, references: readonly PayloadReference[]) => Promise<(StoredPayload | undefined)[]> {
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

  return async (tenantId, references) => {
    if (references.length === 0) return [];
    const rows = await select(
      tenantId,
      references.map(({ id }) => id),
    );
    return references.map(({ id, stream }) => {
      const row = rows.get(id);
      return (
        row &&
        toPayload(settings, { environment: settings.environment, tenantId, stream, payloadId: id }, row)
      );
    });
  };
}

function toPayload(settings: ReadSettings, place: PayloadPlace, row: StoredRow): StoredPayload {
  const { clock, keyring, dataKeys, epochKeys } = settings;
  const { tenantId } = place;
  const { epoch, epoch_key_id, part, stored_at } = row;
  return {
    id: row.id,
    fingerprint: row.fingerprint,
    data: () =>
      openRow({ keysOf: (version) => keysFor(keyring, tenantId, version), dataKeys }, place, {
        keyVersion: row.key_version,
        salt: row.salt,
        wrappedKey: row.wrapped_key,
        ciphertext: row.ciphertext,
      }),
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
