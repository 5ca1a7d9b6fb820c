import { createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { newKeyBytes } from '#infra/vault/crypto/seal.ts';
import type { KeyHolder } from '#infra/vault/keys/tenantKeys.ts';

export const systemKeyContext = (environment: string, purpose: string): Record<string, string> => ({
  environment,
  purpose: `system ${purpose}`,
});

/** A key that belongs to no tenant, made at its first use. @throws StoreUnavailable */
export async function loadSystemKey(
  pool: pg.Pool,
  { keyProvider, environment }: KeyHolder,
  purpose: string,
): Promise<KeyObject> {
  const context = systemKeyContext(environment, purpose);
  const held = (await select(pool, purpose)) ?? (await create());
  const bytes = await keyProvider.unwrap({ rootKey: held.root_key, wrapped: held.wrapped_key }, context);
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;

  async function create(): Promise<Row> {
    const fresh = newKeyBytes();
    const { rootKey, wrapped } = await keyProvider.wrap(fresh, context);
    fresh.fill(0);
    await reachable(() =>
      pool.query(
        `insert into vault.system_keys (purpose, root_key, wrapped_key) values ($1, $2, $3)
         on conflict do nothing`,
        [purpose, rootKey, wrapped],
      ),
    );
    const row = await select(pool, purpose);
    if (row === undefined) throw new Error('a system key vanished as it was made');
    return row;
  }
}

type Row = { root_key: string; wrapped_key: Buffer };

async function select(pool: pg.Pool, purpose: string): Promise<Row | undefined> {
  const { rows } = await reachable(() =>
    pool.query<Row>('select root_key, wrapped_key from vault.system_keys where purpose = $1', [purpose]),
  );
  return rows[0];
}
