import type pg from 'pg';
import { RootKeyRefused, RootKeyUnknown } from '#ports/keyProvider.ts';
import { IntegrityError } from '#ports/vault.ts';
import { reachable } from '#infra/postgres/failure.ts';
import type { KeyHolder } from '#infra/vault/keys/tenantKeys.ts';

/** What the check row holds, wrapped: who can unwrap it holds the root key. */
const knownValue = Buffer.alloc(32, 'holdfast');

export const checkContext = (environment: string): Record<string, string> => ({
  environment,
  purpose: 'root key check',
});

/** Whether this database holds anything that depends on a root key. */
export async function hasRootKey(pool: pg.Pool): Promise<boolean> {
  const { rows } = await reachable(() =>
    pool.query<{ held: boolean }>(
      'select exists (select from vault.root_key_check) or exists (select from vault.system_keys) as held',
    ),
  );
  return rows[0]?.held === true;
}

/**
 * The first start leaves a check value; every later one must be able to open it.
 * @throws RootKeyRefused @throws StoreUnavailable
 */
export async function verifyRootKey(pool: pg.Pool, { keyProvider, environment }: KeyHolder): Promise<void> {
  const context = checkContext(environment);
  const made = await keyProvider.wrap(knownValue, context);
  await reachable(() =>
    pool.query(
      `insert into vault.root_key_check (root_key, wrapped_key)
       select $1, $2 where not exists (select from vault.system_keys) on conflict do nothing`,
      [made.rootKey, made.wrapped],
    ),
  );
  const { rows } = await reachable(() =>
    pool.query<{ root_key: string; wrapped_key: Buffer }>(
      'select root_key, wrapped_key from vault.root_key_check',
    ),
  );
  const [row] = rows;
  if (row === undefined) throw new RootKeyRefused('the root key check of this database is missing');
  const wrapped = { rootKey: row.root_key, wrapped: row.wrapped_key };
  try {
    const value = await keyProvider.unwrap(wrapped, context);
    if (knownValue.equals(value)) return;
  } catch (error) {
    if (error instanceof RootKeyUnknown) {
      throw new RootKeyRefused(
        `this database was made with root key ${row.root_key}, and the root key given is ${made.rootKey}`,
        { cause: error },
      );
    }
    if (!(error instanceof IntegrityError)) throw error;
  }
  throw new RootKeyRefused(`this database does not belong to the environment ${environment}`);
}
