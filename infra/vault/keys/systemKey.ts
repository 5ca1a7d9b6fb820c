import { createPrivateKey, createSecretKey, generateKeyPair } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { newKeyBytes } from '#infra/vault/crypto/seal.ts';
import type { KeyHolder } from '#infra/vault/keys/tenantKeys.ts';

export const systemKeyContext = (environment: string, purpose: string): Record<string, string> => ({
  environment,
  purpose: `system ${purpose}`,
});

/** A key that belongs to no tenant, made at its first use. @throws StoreUnavailable */
export const loadSystemKey = (pool: pg.Pool, holder: KeyHolder, purpose: string): Promise<KeyObject> =>
  load(pool, holder, purpose, () => Promise.resolve(newKeyBytes()), createSecretKey);

/** The same for a private key that signs: RSA of 2,048 bits. @throws StoreUnavailable */
export const loadSystemSigningKey = (pool: pg.Pool, holder: KeyHolder, purpose: string): Promise<KeyObject> =>
  load(pool, holder, purpose, newSigningKey, (key) => createPrivateKey({ key, ...encoding }));

const encoding = { format: 'der', type: 'pkcs8' } as const;

async function newSigningKey(): Promise<Buffer> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  return privateKey.export(encoding);
}

async function load(
  pool: pg.Pool,
  { keyProvider, environment }: KeyHolder,
  purpose: string,
  make: () => Promise<Buffer>,
  read: (bytes: Buffer) => KeyObject,
): Promise<KeyObject> {
  const context = systemKeyContext(environment, purpose);
  const held = (await select(pool, purpose)) ?? (await create());
  const bytes = Buffer.from(
    await keyProvider.unwrap({ rootKey: held.root_key, wrapped: held.wrapped_key }, context),
  );
  const key = read(bytes);
  bytes.fill(0);
  return key;

  async function create(): Promise<Row> {
    const fresh = await make();
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
