import { createHmac } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import base58Alphabet from 'base-x';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';

const base58 = base58Alphabet('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');

/**
 * 43 or 44 letters and digits that are equal for equal type, value and expression under one key.
 * @param expression that the value was rendered of, where it is not the type's own: what somebody makes a constant of
 *   must not be equal to anything else
 */
export function fingerprintOf(key: KeyObject, type: string, rendered: string, expression?: string): string {
  const parts = expression === undefined ? [type, rendered] : [type, rendered, expression];
  return base58.encode(
    createHmac('sha256', key)
      .update(lengthPrefixed(...parts))
      .digest(),
  );
}

/** 32 bytes by which an equal value is found again. */
export function blindIndexOf(key: KeyObject, rendered: string): Buffer {
  return createHmac('sha256', key).update(rendered).digest();
}
