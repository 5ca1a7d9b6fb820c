import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import type { DataKey } from '#infra/vault/crypto/envelope.ts';
import type { KeyContext, KeyProvider } from '#ports/keyProvider.ts';
import { TenantKeysMissing } from '#ports/vault.ts';
import { reachable } from '#infra/postgres/failure.ts';
import { keyOf, newKeyBytes } from '#infra/vault/crypto/seal.ts';
import { asTenant } from '#infra/vault/tenantStatement.ts';

/** `data` keys wrap the data keys of days and are rotated; the others are not, for digests must stay equal. */
export const purposes = ['data', 'fingerprint', 'index', 'short_lived'] as const;
export type Purpose = (typeof purposes)[number];

export type EpochKey = { id: string; key: KeyObject };

/** A tenant's keys, unwrapped. */
export type TenantKeys = {
  /** The version that data keys of new payloads are wrapped with. */
  active: { version: number; key: KeyObject };
  data: ReadonlyMap<number, KeyObject>;
  fingerprint: KeyObject;
  index: KeyObject;
  shortLived: KeyObject;
  /** By name; filled as they are used. */
  dataKeys: Map<string, Promise<DataKey>>;
  /** Filled as they are used. */
  epochs: Map<number, Promise<EpochKey>>;
};

export type KeyHolder = { keyProvider: KeyProvider; environment: string };

export const tenantKeyContext = (
  environment: string,
  tenantId: string,
  purpose: Purpose,
  version: number,
): KeyContext => ({ environment, tenant: tenantId, purpose, version: String(version) });

type Row = {
  purpose: Purpose;
  version: number;
  state: 'active' | 'decrypt_only' | 'retired';
  root_key: string;
  wrapped_key: Buffer;
};

/** @throws TenantKeysMissing @throws StoreUnavailable */
export async function loadTenantKeys(
  pool: pg.Pool,
  holder: KeyHolder,
  tenantId: string,
): Promise<TenantKeys> {
  const { rows } = await reachable(() =>
    pool.query<Row>({
      name: 'vault tenant keys',
      text: `${asTenant}
        select k.* from tenant cross join lateral (
          select purpose, version, state, root_key, wrapped_key from vault.tenant_keys
          where tenant_id = tenant.id offset 0
        ) k`,
      values: [tenantId],
    }),
  );
  const keys = await Promise.all(rows.map((row) => unwrap(holder, tenantId, row)));
  const activeOf = (purpose: Purpose): UnwrappedKey => {
    const found = keys.find((key) => key.purpose === purpose && key.state === 'active');
    if (found === undefined) throw new TenantKeysMissing('a tenant has no keys');
    return found;
  };
  return {
    active: activeOf('data'),
    data: new Map(keys.filter(({ purpose }) => purpose === 'data').map(({ version, key }) => [version, key])),
    fingerprint: activeOf('fingerprint').key,
    index: activeOf('index').key,
    shortLived: activeOf('short_lived').key,
    dataKeys: new Map(),
    epochs: new Map(),
  };
}

type UnwrappedKey = Pick<Row, 'purpose' | 'version' | 'state'> & { key: KeyObject };

async function unwrap(
  { keyProvider, environment }: KeyHolder,
  tenantId: string,
  row: Row,
): Promise<UnwrappedKey> {
  const { purpose, version, state } = row;
  const wrapped = { rootKey: row.root_key, wrapped: row.wrapped_key };
  const bytes = await keyProvider.unwrap(wrapped, tenantKeyContext(environment, tenantId, purpose, version));
  const key = keyOf(bytes);
  bytes.fill(0);
  return { purpose, version, state, key };
}

/** Makes a tenant's keys where it has none. @throws TenantKeysMissing when they were destroyed before */
export async function createTenantKeys(
  pool: pg.Pool,
  { keyProvider, environment }: KeyHolder,
  tenantId: string,
): Promise<void> {
  const made = await Promise.all(
    purposes.map(async (purpose) => {
      const bytes = newKeyBytes();
      const wrapped = await keyProvider.wrap(bytes, tenantKeyContext(environment, tenantId, purpose, 1));
      bytes.fill(0);
      return wrapped;
    }),
  );
  const { rows } = await reachable(() =>
    pool.query<{ destroyed: boolean }>({
      name: 'vault create tenant keys',
      text: `${asTenant},
        fate as materialized (
          select tenant.id, d.tenant_id is not null as destroyed
          from tenant left join lateral (
            select tenant_id from vault.destroyed_tenants where tenant_id = tenant.id offset 0
          ) d on true
        ),
        made as (
          insert into vault.tenant_keys (tenant_id, purpose, version, state, root_key, wrapped_key, generation)
          select fate.id, k.purpose, 1, 'active', k.root_key, k.wrapped_key, 0
          from fate cross join unnest($2::text[], $3::text[], $4::bytea[]) k (purpose, root_key, wrapped_key)
          where not fate.destroyed
          on conflict do nothing
        )
        select destroyed from fate`,
      values: [tenantId, purposes, made.map((key) => key.rootKey), made.map((key) => key.wrapped)],
    }),
  );
  if (rows[0]?.destroyed === true) throw new TenantKeysMissing("a tenant's keys were destroyed");
}
