import type { KeyContext } from '#ports/keyProvider.ts';
import type { Administration, OnProgress } from '#infra/vault/administration/administration.ts';
import { addRootKey } from '#infra/vault/keyProviders/fileKeyProvider.ts';
import { checkContext } from '#infra/vault/keyProviders/rootKeyCheck.ts';
import { systemKeyContext } from '#infra/vault/keys/systemKey.ts';
import { tenantKeyContext } from '#infra/vault/keys/tenantKeys.ts';
import type { Purpose } from '#infra/vault/keys/tenantKeys.ts';

/**
 * Adds a new root key to the key file and wraps everything under it. Processes that share the file follow by
 * themselves. Old root keys stay in the file, for backups; `keyStatus` tells which of them still wrap something.
 */
export async function rotateRootKey(
  administration: Administration,
  path: string,
  onProgress: OnProgress,
): Promise<number> {
  await addRootKey(path);
  return rewrapRoot(administration, onProgress);
}

type Wrapped = { root_key: string; wrapped_key: Buffer };
type WrappedTenantKey = Wrapped & { tenant_id: string; purpose: Purpose; version: number };
type WrappedSystemKey = Wrapped & { purpose: string };

/** Wraps all keys under the provider's newest root key; stopped in the middle, the next run does the rest. */
export async function rewrapRoot(administration: Administration, onProgress: OnProgress): Promise<number> {
  const { pool, keyProvider, environment } = administration;
  const newest = await keyProvider.rootKey();
  const [tenantKeys, systemKeys, checks] = await Promise.all([
    pool.query<WrappedTenantKey>(
      'select tenant_id, purpose, version, root_key, wrapped_key from vault.tenant_keys where root_key <> $1',
      [newest],
    ),
    pool.query<WrappedSystemKey>(
      'select purpose, root_key, wrapped_key from vault.system_keys where root_key <> $1',
      [newest],
    ),
    pool.query<Wrapped>('select root_key, wrapped_key from vault.root_key_check where root_key <> $1', [
      newest,
    ]),
  ]);
  const work: (() => Promise<void>)[] = [
    ...tenantKeys.rows.map((row) => async () => {
      const context = tenantKeyContext(environment, row.tenant_id, row.purpose, row.version);
      const where = 'tenant_id = $4 and purpose = $5 and version = $6';
      await rewrapRow(administration, context, row, 'vault.tenant_keys', where, [
        row.tenant_id,
        row.purpose,
        row.version,
      ]);
    }),
    ...systemKeys.rows.map((row) => async () => {
      const context = systemKeyContext(environment, row.purpose);
      await rewrapRow(administration, context, row, 'vault.system_keys', 'purpose = $4', [row.purpose]);
    }),
    ...checks.rows.map((row) => async () => {
      await rewrapRow(administration, checkContext(environment), row, 'vault.root_key_check', 'true', []);
    }),
  ];
  for (const [done, step] of work.entries()) {
    onProgress({ done, total: work.length });
    await step();
  }
  onProgress({ done: work.length, total: work.length });
  return work.length;
}

async function rewrapRow(
  { pool, keyProvider }: Administration,
  context: KeyContext,
  { root_key, wrapped_key }: Wrapped,
  table: 'vault.tenant_keys' | 'vault.system_keys' | 'vault.root_key_check',
  where: string,
  key: readonly unknown[],
): Promise<void> {
  const bytes = await keyProvider.unwrap({ rootKey: root_key, wrapped: wrapped_key }, context);
  const { rootKey, wrapped } = await keyProvider.wrap(bytes, context);
  bytes.fill(0);
  await pool.query(
    `update ${table} set root_key = $1, wrapped_key = $2 where wrapped_key = $3 and ${where}`,
    [rootKey, wrapped, wrapped_key, ...key],
  );
}
