import type pg from 'pg';
import type { KeyProvider } from '#ports/keyProvider.ts';
import type { Logger } from '#ports/logger.ts';
import { createKeyFile, isExposed, openKeyFile } from '#infra/vault/keyProviders/fileKeyProvider.ts';
import { createLocalKeyProvider, parseRootKeys } from '#infra/vault/keyProviders/localKeyProvider.ts';
import { hasRootKey, verifyRootKey } from '#infra/vault/keyProviders/rootKeyCheck.ts';

export type RootKeySource =
  /** A path; the file is made when the database was never used with a root key. */
  | { file: string }
  /** Base64 of 32 bytes; older keys may follow, separated by commas. */
  | { value: string };

export type KeyProviderSettings = {
  /** Connections in the role `holdfast_vault`. */
  pool: pg.Pool;
  environment: string;
  source: RootKeySource;
  logger: Logger;
};

/**
 * Opens the root key and makes sure that it is the one this database was made with.
 * @throws RootKeyRefused with one sentence for the operator @throws StoreUnavailable
 */
export async function openKeyProvider(settings: KeyProviderSettings): Promise<KeyProvider> {
  const provider = await open(settings);
  await verifyRootKey(settings.pool, { keyProvider: provider, environment: settings.environment });
  return provider;
}

async function open({ pool, source, logger }: KeyProviderSettings): Promise<KeyProvider> {
  if ('value' in source) return openRootKey(source);
  if (!(await hasRootKey(pool))) await createKeyFile(source.file);
  const provider = await openRootKey(source);
  if (await isExposed(source.file)) {
    logger.warn({ file: source.file }, 'the root key file can be read by others than its owner');
  }
  return provider;
}

/** The root key as it is given, whatever it belongs to. @throws RootKeyRefused when it is missing or malformed */
export async function openRootKey(source: RootKeySource): Promise<KeyProvider> {
  if ('file' in source) return openKeyFile(source.file);
  const keys = parseRootKeys(source.value);
  return createLocalKeyProvider(() => Promise.resolve(keys));
}
