import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';
import { keyOf, newKeyBytes, open, seal } from '#infra/vault/crypto/seal.ts';
import type { EpochKey, TenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { asTenant } from '#infra/vault/tenantStatement.ts';

export type EpochKeys = {
  /** The key that parts of an epoch are stored under, made where there is none. */
  forStoring(tenantId: string, keys: TenantKeys, epoch: number): Promise<EpochKey>;
  /** The key of this id: undefined when it was destroyed, or forgotten in a crash of Postgres. */
  forReading(tenantId: string, keys: TenantKeys, epoch: number, id: string): Promise<EpochKey | undefined>;
};

export function createEpochKeys(pool: pg.Pool, environment: string): EpochKeys {
  const placeOf = (tenantId: string, id: string): Buffer =>
    lengthPrefixed(environment, tenantId, id, 'epoch key');

  const load = async (tenantId: string, keys: TenantKeys, epoch: number): Promise<EpochKey | undefined> => {
    const row = await select(pool, tenantId, epoch);
    if (row === undefined) return undefined;
    const bytes = open(keys.shortLived, placeOf(tenantId, row.id), row.wrapped_key);
    const key = keyOf(bytes);
    bytes.fill(0);
    return { id: row.id, key };
  };

  const create = async (tenantId: string, keys: TenantKeys, epoch: number): Promise<EpochKey> => {
    const id = randomUUID();
    const bytes = newKeyBytes();
    const wrapped = seal(keys.shortLived, placeOf(tenantId, id), bytes);
    bytes.fill(0);
    await insert(pool, tenantId, epoch, id, wrapped);
    // Another process may have been first: its key counts.
    return (await load(tenantId, keys, epoch)) ?? create(tenantId, keys, epoch);
  };

  return {
    forStoring: async (tenantId, keys, epoch) => {
      const known = await keys.epochs.get(epoch);
      if (known !== undefined) return known;
      const coming = load(tenantId, keys, epoch).then((found) => found ?? create(tenantId, keys, epoch));
      keys.epochs.set(epoch, coming);
      coming.catch(() => keys.epochs.delete(epoch));
      return coming;
    },
    forReading: async (tenantId, keys, epoch, id) => {
      const known = await keys.epochs.get(epoch);
      if (known?.id === id) return known;
      const found = await load(tenantId, keys, epoch);
      if (found?.id !== id) return undefined;
      keys.epochs.set(epoch, Promise.resolve(found));
      return found;
    },
  };
}

type Row = { id: string; wrapped_key: Buffer };

async function select(pool: pg.Pool, tenantId: string, epoch: number): Promise<Row | undefined> {
  const { rows } = await reachable(() =>
    pool.query<Row>({
      name: 'vault epoch key',
      text: `${asTenant}
        select k.* from tenant cross join lateral (
          select id, wrapped_key from vault.epoch_keys where tenant_id = tenant.id and epoch = $2 offset 0
        ) k`,
      values: [tenantId, epoch],
    }),
  );
  return rows[0];
}

async function insert(
  pool: pg.Pool,
  tenantId: string,
  epoch: number,
  id: string,
  wrapped: Buffer,
): Promise<void> {
  await reachable(() =>
    pool.query({
      name: 'vault create epoch key',
      text: `${asTenant}
        insert into vault.epoch_keys (tenant_id, epoch, id, wrapped_key)
        select tenant.id, $2, $3, $4 from tenant on conflict do nothing`,
      values: [tenantId, epoch, id, wrapped],
    }),
  );
}
