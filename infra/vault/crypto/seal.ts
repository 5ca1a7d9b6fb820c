import { createCipheriv, createDecipheriv, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { IntegrityError } from '#ports/vault.ts';
import { random } from '#infra/vault/crypto/random.ts';

/*
 * Sealed bytes: algorithm (1) | commitment (32, algorithm 1 only) | nonce (12) | ciphertext | tag (16).
 *
 * Algorithm 1, for keys that live long: HMAC-SHA-512 of the place under the key gives 32 bytes of AES-256-GCM key
 * and 32 bytes of commitment. The commitment is there because GCM alone lets one ciphertext open under two keys;
 * the derived key, because then no AES key meets enough messages for two random nonces to be the same.
 *
 * Algorithm 2, for keys that seal one payload or one minute's parts, and are wrapped by algorithm 1 themselves:
 * AES-256-GCM under the key as it is. What algorithm 1 adds is had from the wrapping already.
 */
const committing = 1;
const direct = 2;
const cipher = 'aes-256-gcm';
const label = Buffer.from(`holdfast seal ${committing}:`);
const algorithmLength = 1;
const commitmentLength = 32;
const nonceLength = 12;
const tagLength = 16;
const keyLength = 32;

/** A fresh 256-bit key as bytes: the caller wipes them. */
export const newKeyBytes = (): Buffer => random(keyLength);

/** Keys are key objects everywhere: handing bytes to a cipher costs Node three times the encryption itself. */
export const keyOf = (bytes: Uint8Array): KeyObject => createSecretKey(bytes);

/** Encrypts under a key, bound to a place: what is opened for any other place is refused. */
export function seal(key: KeyObject, place: Uint8Array, content: Uint8Array): Buffer {
  const { encryptionKey, commitment } = derive(key, place);
  return Buffer.concat([Buffer.of(committing), commitment, ...encrypt(encryptionKey, place, content)]);
}

/** As {@link seal}, under a key that seals little and was itself unwrapped by {@link open}. */
export function sealDirectly(key: KeyObject, place: Uint8Array, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(direct), ...encrypt(key, place, content)]);
}

/** @throws IntegrityError when the bytes were changed, or sealed under another key or for another place */
export function open(key: KeyObject, place: Uint8Array, sealed: Uint8Array): Buffer {
  if (sealed[0] === direct) return decrypt(key, place, sealed.subarray(algorithmLength));
  const encryptedAt = algorithmLength + commitmentLength;
  if (sealed[0] !== committing || sealed.length < encryptedAt) throw refused();
  const { encryptionKey, commitment } = derive(key, place);
  if (!timingSafeEqual(commitment, sealed.subarray(algorithmLength, encryptedAt))) throw refused();
  return decrypt(encryptionKey, place, sealed.subarray(encryptedAt));
}

function encrypt(key: KeyObject, place: Uint8Array, content: Uint8Array): [Buffer, Buffer, Buffer] {
  const nonce = random(nonceLength);
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagLength });
  encryption.setAAD(place);
  const ciphertext = encryption.update(content);
  encryption.final();
  return [nonce, ciphertext, encryption.getAuthTag()];
}

function decrypt(key: KeyObject, place: Uint8Array, encrypted: Uint8Array): Buffer {
  const tagAt = encrypted.length - tagLength;
  if (tagAt < nonceLength) throw refused();
  const decryption = createDecipheriv(cipher, key, encrypted.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  decryption.setAAD(place);
  decryption.setAuthTag(encrypted.subarray(tagAt));
  const content = decryption.update(encrypted.subarray(nonceLength, tagAt));
  try {
    decryption.final();
  } catch {
    throw refused();
  }
  return content;
}

function derive(key: KeyObject, place: Uint8Array): { encryptionKey: KeyObject; commitment: Buffer } {
  const derived = createHmac('sha512', key).update(label).update(place).digest();
  const encryptionKey = keyOf(derived.subarray(0, keyLength));
  derived.fill(0, 0, keyLength);
  return { encryptionKey, commitment: derived.subarray(keyLength) };
}

const refused = (): IntegrityError =>
  new IntegrityError('a sealed value does not belong here, or was changed');
