import type { KeyObject } from 'node:crypto';
import { createHmac } from 'node:crypto';
import { RootKeyRefused, RootKeyUnknown } from '#ports/keyProvider.ts';
import type { KeyContext, KeyProvider } from '#ports/keyProvider.ts';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';
import { keyOf, open, seal } from '#infra/vault/crypto/seal.ts';

export type RootKey = { name: string; key: KeyObject };

/** Root keys in the order of their age, the newest first; there is at least one. */
export type RootKeys = readonly [RootKey, ...RootKey[]];

/** Wraps with root keys that this process holds; asked anew each time, because a key file may have changed. */
export function createLocalKeyProvider(rootKeys: () => Promise<RootKeys>): KeyProvider {
  return {
    rootKey: async () => {
      const [newest] = await rootKeys();
      return newest.name;
    },
    wrap: async (key, context) => {
      const [newest] = await rootKeys();
      return { rootKey: newest.name, wrapped: seal(newest.key, placeOf(context), key) };
    },
    unwrap: async ({ rootKey, wrapped }, context) => {
      const held = (await rootKeys()).find(({ name }) => name === rootKey);
      if (held === undefined) throw new RootKeyUnknown(`a key is wrapped under root key ${rootKey}`);
      return open(held.key, placeOf(context), wrapped);
    },
  };
}

/**
 * Reads root keys: base64 of 32 bytes each, the newest first, separated by white space or commas.
 * @throws RootKeyRefused
 */
export function parseRootKeys(text: string): RootKeys {
  const keys = text.split(/[\s,]+/).filter((part) => part !== '');
  const [newest, ...older] = keys.map(parseRootKey);
  if (newest === undefined) throw new RootKeyRefused('the root key is empty');
  return [newest, ...older];
}

function parseRootKey(text: string): RootKey {
  const bytes = Buffer.from(text, 'base64');
  const canonical = bytes.toString('base64').replace(/={1,2}$/, '');
  if (bytes.length !== 32 || canonical !== text.replace(/={1,2}$/, '')) {
    throw new RootKeyRefused('a root key is 32 bytes in base64');
  }
  const key = keyOf(bytes);
  bytes.fill(0);
  return { name: nameOf(key), key };
}

/** The key check value: it tells keys apart, and tells nothing of the key. */
function nameOf(key: KeyObject): string {
  return createHmac('sha256', key).update('holdfast root key name').digest('hex').slice(0, 16);
}

function placeOf(context: KeyContext): Buffer {
  const entries = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1));
  return lengthPrefixed('wrapped key', ...entries.flat());
}
