import { createHmac } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import base58Alphabet from 'base-x';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';

const base58 = base58Alphabet('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');

/** 43 or 44 letters and digits that are equal for equal type and value under one key. */
export function fingerprintOf(key: KeyObject, type: string, rendered: string): string {
  return base58.encode(createHmac('sha256', key).update(lengthPrefixed(type, rendered)).digest());
}

/** 32 bytes by which an equal value is found again. */
export function blindIndexOf(key: KeyObject, rendered: string): Buffer {
  return createHmac('sha256', key).update(rendered).digest();
}
