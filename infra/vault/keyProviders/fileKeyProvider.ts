import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectories } from '#infra/files/makeDirectories.ts';
import { RootKeyRefused } from '#ports/keyProvider.ts';
import type { KeyProvider } from '#ports/keyProvider.ts';
import { createLocalKeyProvider, parseRootKeys } from '#infra/vault/keyProviders/localKeyProvider.ts';
import type { RootKeys } from '#infra/vault/keyProviders/localKeyProvider.ts';
import { errno } from '#src/errno.ts';

/**
 * Root keys in a file, one a line, the newest first. The file is read again when it changes, so that every
 * process follows a new root key without a restart.
 * @throws RootKeyRefused when it is missing, unreadable or malformed
 */
export async function openKeyFile(path: string): Promise<KeyProvider> {
  let known: { version: string; keys: RootKeys } | undefined;
  const rootKeys = async (): Promise<RootKeys> => {
    const version = await versionOf(path);
    if (known?.version !== version) known = { version, keys: parseRootKeys(await contentOf(path)) };
    return known.keys;
  };
  await rootKeys();
  return createLocalKeyProvider(rootKeys);
}

/**
 * Makes a key file with one new key, readable by its owner only; a file that is there stays.
 * @throws RootKeyRefused when it cannot be written
 */
export async function createKeyFile(path: string): Promise<void> {
  try {
    await writeNew(path);
  } catch (error) {
    throw new RootKeyRefused(`the root key file ${path} cannot be written`, { cause: error });
  }
}

async function writeNew(path: string): Promise<void> {
  await makeDirectories(dirname(path), 0o700);
  const written = await writeBeside(path, `${newRootKey()}\n`);
  try {
    // A link appears whole or not at all, and never replaces what another process made first.
    await link(written, path);
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(written);
  }
  await syncDirectory(path);
}

/** Puts a new root key before those in the file; new keys are wrapped with it from now on. */
export async function addRootKey(path: string): Promise<void> {
  const content = await contentOf(path);
  parseRootKeys(content);
  const written = await writeBeside(path, `${newRootKey()}\n${content}`);
  await rename(written, path);
  await syncDirectory(path);
}

/** Whether others than the owner may read the file. */
export async function isExposed(path: string): Promise<boolean> {
  return ((await stat(path)).mode & 0o077) !== 0;
}

const newRootKey = (): string => randomBytes(32).toString('base64');

async function contentOf(path: string): Promise<string> {
  return refusing(path, () => readFile(path, 'utf8'));
}

async function versionOf(path: string): Promise<string> {
  const { ino, mtimeNs, size } = await refusing(path, () => stat(path, { bigint: true }));
  return `${ino} ${mtimeNs} ${size}`;
}

async function refusing<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const reason = errno(error) === 'ENOENT' ? 'is missing' : 'cannot be read';
    throw new RootKeyRefused(`the root key file ${path} ${reason}`, { cause: error });
  }
}

async function writeBeside(path: string, content: string): Promise<string> {
  const beside = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(beside, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  return beside;
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
