import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import type { DataKeyName } from '#infra/vault/crypto/envelope.ts';
import { asTenant } from '#infra/vault/tenantStatement.ts';

type Row = { key_version: number; day: number; ordinal: number; wrapped_key: Buffer };

/** Those of a tenant's data keys that there are. @throws StoreUnavailable */
export async function selectDataKeys(
  pool: pg.Pool,
  tenantId: string,
  names: readonly DataKeyName[],
): Promise<(DataKeyName & { wrappedKey: Buffer })[]> {
  const { rows } = await reachable(() =>
    pool.query<Row>({
      name: 'vault data keys',
      text: `${asTenant}
        select found.* from tenant
        cross join unnest($2::int4[], $3::int4[], $4::int4[]) wanted (key_version, day, ordinal)
        cross join lateral (
          select k.key_version, k.day, k.ordinal, k.wrapped_key from vault.data_keys k
          where k.tenant_id = tenant.id and k.key_version = wanted.key_version and k.day = wanted.day
            and k.ordinal = wanted.ordinal
          offset 0
        ) found`,
      values: [
        tenantId,
        names.map(({ version }) => version),
        names.map(({ day }) => day),
        names.map(({ ordinal }) => ordinal),
      ],
    }),
  );
  return rows.map(({ key_version: version, day, ordinal, wrapped_key: wrappedKey }) => ({
    version,
    day,
    ordinal,
    wrappedKey,
  }));
}

/** Makes a data key durable, unless there is one of this name. @throws StoreUnavailable */
export async function insertDataKey(
  pool: pg.Pool,
  tenantId: string,
  { version, day, ordinal }: DataKeyName,
  wrapped: Buffer,
): Promise<void> {
  await reachable(() =>
    pool.query({
      name: 'vault create data key',
      text: `${asTenant}
        insert into vault.data_keys (tenant_id, key_version, day, ordinal, wrapped_key)
        select tenant.id, $2, $3, $4, $5 from tenant on conflict do nothing`,
      values: [tenantId, version, day, ordinal, wrapped],
    }),
  );
}
