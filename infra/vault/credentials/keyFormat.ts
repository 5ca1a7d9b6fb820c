import { crc32 } from 'node:zlib';
import { random } from '#infra/vault/crypto/random.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 characters of 62 are 190 bits. */
const randomLength = 32;
const checksumLength = 6;
const form = /^key_[A-Za-z0-9]{1,32}_(?:pub|pvt|mgt|ses|prx)_[A-Za-z0-9]{38}$/;
const codes = { public: 'pub', private: 'pvt', management: 'mgt', session: 'ses', proxy: 'prx' } as const;

export type KeyType = keyof typeof codes;

/** `key_<environment>_<pub|pvt|mgt|ses|prx>_<random><checksum>`; the environment is 1 to 32 letters and digits. */
export function generateKey(environment: string, type: KeyType): string {
  const body = `key_${environment}_${codes[type]}_${randomCharacters(randomLength)}`;
  return body + checksumOf(body);
}

/** Whether a well-formed key is that of a session. */
export const isSessionKey = (key: string): boolean => key.split('_')[2] === codes.session;

/** Whether a well-formed key is that of a proxy: it says where to, not who calls. */
export const isProxyKey = (key: string): boolean => key.split('_')[2] === codes.proxy;

/** Whether a string has the form of a key and its checksum holds: a mistyped key costs no database. */
export function isWellFormed(key: string): boolean {
  if (!form.test(key)) return false;
  return checksumOf(key.slice(0, -checksumLength)) === key.slice(-checksumLength);
}

/** CRC-32, as secret scanners expect it. */
function checksumOf(body: string): string {
  let rest = crc32(body);
  let checksum = '';
  for (let place = 0; place < checksumLength; place += 1) {
    checksum = alphabet.charAt(rest % alphabet.length) + checksum;
    rest = Math.floor(rest / alphabet.length);
  }
  return checksum;
}

function randomCharacters(count: number): string {
  // The bytes that would favour the first characters are thrown away.
  const fair = 256 - (256 % alphabet.length);
  let characters = '';
  while (characters.length < count) {
    for (const byte of random(count - characters.length)) {
      if (byte < fair) characters += alphabet.charAt(byte % alphabet.length);
    }
  }
  return characters;
}
