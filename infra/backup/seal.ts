import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { BackupRefused } from '#infra/backup/refused.ts';
import type { BackupContents, BackupSeal, Manifest } from '#infra/backup/manifest.ts';
import { RootKeyUnknown } from '#ports/keyProvider.ts';
import type { KeyContext, KeyProvider } from '#ports/keyProvider.ts';
import { IntegrityError } from '#ports/vault.ts';

const contextOf = ({ id, environment }: BackupContents): KeyContext => ({
  environment,
  purpose: 'backup manifest',
  backup: id,
});

/** Signs the contents with a fresh key, which only a holder of the root key can open again. */
export async function sealed(contents: BackupContents, keyProvider: KeyProvider): Promise<Manifest> {
  const key = randomBytes(32);
  const { rootKey, wrapped } = await keyProvider.wrap(key, contextOf(contents));
  const seal: BackupSeal = {
    root_key: rootKey,
    wrapped_key: Buffer.from(wrapped).toString('base64'),
    signature: signatureOf(key, contents).toString('hex'),
  };
  return { contents, seal };
}

/**
 * Makes sure that the root key is that of the backup, and that the manifest is as it was written.
 * @throws BackupRefused
 */
export async function requireSeal({ contents, seal }: Manifest, keyProvider: KeyProvider): Promise<void> {
  const wrapped = { rootKey: seal.root_key, wrapped: Buffer.from(seal.wrapped_key, 'base64') };
  try {
    const key = await keyProvider.unwrap(wrapped, contextOf(contents));
    const [given, right] = [Buffer.from(seal.signature, 'hex'), signatureOf(key, contents)];
    if (given.length === right.length && timingSafeEqual(given, right)) return;
  } catch (error) {
    if (error instanceof RootKeyUnknown) {
      const held = await keyProvider.rootKey();
      throw new BackupRefused(
        `the backup was made with root key ${seal.root_key}, and the root key given is ${held}`,
        { cause: error },
      );
    }
    if (!(error instanceof IntegrityError)) throw error;
  }
  throw new BackupRefused('the manifest was changed after the backup was made');
}

const signatureOf = (key: Uint8Array, contents: BackupContents): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(contents)).digest();
