import { createCipheriv, createDecipheriv, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { IntegrityError } from '#ports/vault.ts';
import { random } from '#infra/vault/crypto/random.ts';

/*
 * Sealed bytes: algorithm (1) | commitment (32) | nonce (12) | ciphertext | tag (16).
 *
 * Algorithm 1: HMAC-SHA-512 of the place under the key gives 32 bytes of AES-256-GCM key and 32 bytes of
 * commitment. The commitment is there because GCM alone lets one ciphertext open under two keys; the derived
 * key, because then no AES key meets enough messages for two random nonces to be the same.
 */
const algorithm = 1;
const cipher = 'aes-256-gcm';
const label = Buffer.from(`holdfast seal ${algorithm}:`);
const commitmentAt = 1;
const nonceAt = commitmentAt + 32;
const ciphertextAt = nonceAt + 12;
const tagLength = 16;
const keyLength = 32;

/** How many bytes longer than its content a sealed value is. */
export const sealOverhead = ciphertextAt + tagLength;

/** A fresh 256-bit key as bytes: the caller wipes them. */
export const newKeyBytes = (): Buffer => random(keyLength);

/** Keys are key objects everywhere: handing bytes to a cipher costs Node three times the encryption itself. */
export const keyOf = (bytes: Uint8Array): KeyObject => createSecretKey(bytes);

/** Encrypts under a key, bound to a place: what is opened for any other place is refused. */
export function seal(key: KeyObject, place: Uint8Array, content: Uint8Array): Buffer {
  const { encryptionKey, commitment } = derive(key, place);
  const nonce = random(12);
  const encryption = createCipheriv(cipher, encryptionKey, nonce, { authTagLength: tagLength });
  encryption.setAAD(place);
  const ciphertext = encryption.update(content);
  encryption.final();
  return Buffer.concat([Buffer.of(algorithm), commitment, nonce, ciphertext, encryption.getAuthTag()]);
}

/** @throws IntegrityError when the bytes were changed, or sealed under another key or for another place */
export function open(key: KeyObject, place: Uint8Array, sealed: Uint8Array): Buffer {
  if (sealed.length < sealOverhead || sealed[0] !== algorithm) throw refused();
  const { encryptionKey, commitment } = derive(key, place);
  if (!timingSafeEqual(commitment, sealed.subarray(commitmentAt, nonceAt))) throw refused();
  const tagAt = sealed.length - tagLength;
  const decryption = createDecipheriv(cipher, encryptionKey, sealed.subarray(nonceAt, ciphertextAt), {
    authTagLength: tagLength,
  });
  decryption.setAAD(place);
  decryption.setAuthTag(sealed.subarray(tagAt));
  const content = decryption.update(sealed.subarray(ciphertextAt, tagAt));
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
