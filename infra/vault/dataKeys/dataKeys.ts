import type pg from 'pg';
import { createBatches } from '#infra/vault/batches.ts';
import type { DataKey, DataKeyName } from '#infra/vault/crypto/envelope.ts';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';
import { keyOf, newKeyBytes, open, seal } from '#infra/vault/crypto/seal.ts';
import { insertDataKey, selectDataKeys } from '#infra/vault/dataKeys/rows.ts';
import type { TenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { IntegrityError } from '#ports/vault.ts';

/** A process seals at most this many payloads under one data key, and goes on with the next. */
export const messagesOfKey = 2 ** 20;

const day = 24 * 60 * 60_000;
/** One statement asks for at most this many keys. */
const batchKeys = 500;

/** What data keys are unwrapped with, and kept by. */
export type HeldKeys = Pick<TenantKeys, 'active' | 'data' | 'dataKeys'>;

export type DataKeys = {
  /** The key that payloads of this time are sealed under, made where there is none. */
  forStoring(tenantId: string, keys: HeldKeys, now: Date): Promise<DataKey>;
  /** @throws IntegrityError when there is no such key */
  forReading(tenantId: string, keys: HeldKeys, name: DataKeyName): Promise<DataKey>;
};

type InUse = { name: DataKeyName; messages: number };

/**
 * Keys of tenants for a day each. Unwrapped ones are forgotten with the tenant keys that they came with.
 * @param most messages under one key
 */
export function createDataKeys(
  pool: pg.Pool,
  environment: string,
  { most = messagesOfKey }: { most?: number } = {},
): DataKeys {
  const inUse = new Map<string, InUse>();
  const select = createBatches<DataKeyName, ReadonlyMap<string, Buffer>>({
    run: async (tenantId, names) => {
      const rows = await selectDataKeys(pool, tenantId, names);
      const found = new Map(rows.map((row) => [textOf(row), row.wrappedKey]));
      return names.map(() => found);
    },
    weight: () => 1,
    limit: batchKeys,
    atOnce: 2,
    mayBlameOne: () => false,
  });

  const load = async (tenantId: string, keys: HeldKeys, name: DataKeyName): Promise<DataKey | undefined> => {
    const tenantKey = keys.data.get(name.version);
    const wrapped = (await select(tenantId, name)).get(textOf(name));
    if (tenantKey === undefined || wrapped === undefined) return undefined;
    return unwrapDataKey(environment, tenantId, tenantKey, name, wrapped);
  };

  const create = async (tenantId: string, keys: HeldKeys, name: DataKeyName): Promise<DataKey> => {
    const bytes = newKeyBytes();
    const wrapped = seal(keys.active.key, placeOf(environment, tenantId, name), bytes);
    bytes.fill(0);
    await insertDataKey(pool, tenantId, name, wrapped);
    // Another process may have been first: its key counts.
    return (await load(tenantId, keys, name)) ?? create(tenantId, keys, name);
  };

  const cached = (keys: HeldKeys, name: DataKeyName, get: () => Promise<DataKey>): Promise<DataKey> => {
    const text = textOf(name);
    const known = keys.dataKeys.get(text);
    if (known !== undefined) return known;
    const coming = get();
    keys.dataKeys.set(text, coming);
    coming.catch(() => keys.dataKeys.delete(text));
    return coming;
  };

  /** Counts one more message. */
  const nextName = (tenantId: string, version: number, now: Date): DataKeyName => {
    const today = Math.floor(now.getTime() / day);
    const current = inUse.get(tenantId);
    const isOfToday = current?.name.version === version && current.name.day === today;
    if (isOfToday && current.messages < most) {
      current.messages += 1;
      return current.name;
    }
    const ordinal = isOfToday ? current.name.ordinal + 1 : 0;
    const next = { name: { version, day: today, ordinal }, messages: 1 };
    inUse.set(tenantId, next);
    return next.name;
  };

  return {
    forStoring: (tenantId, keys, now) => {
      const name = nextName(tenantId, keys.active.version, now);
      return cached(keys, name, async () => {
        return (await load(tenantId, keys, name)) ?? create(tenantId, keys, name);
      });
    },
    forReading: (tenantId, keys, name) =>
      cached(keys, name, async () => {
        const found = await load(tenantId, keys, name);
        if (found === undefined) throw new IntegrityError('a payload names a data key that does not exist');
        return found;
      }),
  };
}

function unwrapDataKey(
  environment: string,
  tenantId: string,
  tenantKey: Parameters<typeof open>[0],
  name: DataKeyName,
  wrapped: Buffer,
): DataKey {
  const bytes = open(tenantKey, placeOf(environment, tenantId, name), wrapped);
  const key = keyOf(bytes);
  bytes.fill(0);
  return { name, key };
}

const textOf = ({ version, day: ofDay, ordinal }: DataKeyName): string => `${version}.${ofDay}.${ordinal}`;

const placeOf = (environment: string, tenantId: string, name: DataKeyName): Buffer =>
  lengthPrefixed(environment, tenantId, textOf(name), 'data key of a day');
