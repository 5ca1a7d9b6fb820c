import { createCipheriv, createDecipheriv, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { IntegrityError } from '#ports/vault.ts';
import { random } from '#infra/vault/crypto/random.ts';

/*
 * Sealed bytes begin with the number of their algorithm. The caller names the algorithm that it expects: the bytes
 * choose none.
 *
 * Algorithm 1, for keys that wrap keys: 1 | commitment (32) | nonce (12) | ciphertext | tag (16). HMAC-SHA-512 of the
 * place under the key gives 32 bytes of AES-256-GCM key and 32 bytes of commitment. The commitment is there because
 * GCM alone lets one ciphertext open under two keys; the derived key, because then no AES key meets enough messages
 * for two random nonces to be the same.
 *
 * Algorithm 2, which is opened and not made any more: 2 | nonce (12) | ciphertext | tag (16). AES-256-GCM under a key
 * of one payload, or of one minute, as it is.
 *
 * Algorithm 3, for keys that seal many payloads and are wrapped by algorithm 1 themselves: 3 | ciphertext | tag (16),
 * with a salt of 32 random bytes that is kept beside it. HKDF-Expand (RFC 5869, SHA-512, one block) of label, salt and
 * place under the key gives an AES-256-GCM key of 32 bytes and a nonce of 12: each message has its own. A ciphertext
 * whose salt is gone is out of reach of those who have the key. What a commitment would add is had from the wrapping
 * already.
 *
 * Algorithm 4, for keys of one minute: as 2. It has a number of its own because what it seals is bound to a record.
 */
const committing = 1;
const direct = 2;
const salted = 3;
const directOfRecord = 4;
const cipher = 'aes-256-gcm';
const label = Buffer.from(`holdfast seal ${committing}:`);
const saltedLabel = Buffer.from(`holdfast seal ${salted}:`);
const firstBlock = Buffer.of(1);
const algorithmLength = 1;
const commitmentLength = 32;
const saltLength = 32;
const nonceLength = 12;
const tagLength = 16;
const keyLength = 32;

/** A fresh salt for {@link sealSalted}. */
export const newSalt = (): Buffer => random(saltLength);

/** A fresh 256-bit key as bytes: the caller wipes them. */
export const newKeyBytes = (): Buffer => random(keyLength);

/** Keys are key objects everywhere: handing bytes to a cipher costs Node three times the encryption itself. */
export const keyOf = (bytes: Uint8Array): KeyObject => createSecretKey(bytes);

/** Encrypts a key under a key (algorithm 1), bound to a place: what is opened for any other place is refused. */
export function seal(key: KeyObject, place: Uint8Array, content: Uint8Array): Buffer {
  const { encryptionKey, commitment } = derive(key, place);
  return Buffer.concat([
    Buffer.of(committing),
    commitment,
    ...encryptAfterNonce(encryptionKey, place, content),
  ]);
}

/** As {@link seal}, under a key that seals many payloads and was itself unwrapped by {@link open} (algorithm 3). */
export function sealSalted(key: KeyObject, salt: Uint8Array, place: Uint8Array, content: Uint8Array): Buffer {
  const { encryptionKey, nonce } = deriveSalted(key, salt, place);
  return Buffer.concat([Buffer.of(salted), ...encrypt(encryptionKey, nonce, place, content)]);
}

/** As {@link sealSalted}, under a key that seals the parts of one minute (algorithm 4). */
export const sealDirect = (key: KeyObject, place: Uint8Array, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(directOfRecord), ...encryptAfterNonce(key, place, content)]);

/**
 * Opens what {@link seal} made.
 * @throws IntegrityError when the bytes were changed, or sealed otherwise, under another key or for another place
 */
export function open(key: KeyObject, place: Uint8Array, sealed: Uint8Array): Buffer {
  const nonceAt = algorithmLength + commitmentLength;
  if (sealed[0] !== committing || sealed.length < nonceAt) throw refused();
  const { encryptionKey, commitment } = derive(key, place);
  if (!timingSafeEqual(commitment, sealed.subarray(algorithmLength, nonceAt))) throw refused();
  return decryptAfterNonce(encryptionKey, place, sealed.subarray(nonceAt));
}

/** Opens what {@link sealSalted} made. @throws IntegrityError as {@link open} does */
export function openSalted(key: KeyObject, salt: Uint8Array, place: Uint8Array, sealed: Uint8Array): Buffer {
  if (sealed[0] !== salted || salt.length !== saltLength) throw refused();
  const { encryptionKey, nonce } = deriveSalted(key, salt, place);
  return decrypt(encryptionKey, nonce, place, sealed.subarray(algorithmLength));
}

/** Opens what {@link sealDirect} made. @throws IntegrityError as {@link open} does */
export function openDirect(key: KeyObject, place: Uint8Array, sealed: Uint8Array): Buffer {
  if (sealed[0] !== directOfRecord) throw refused();
  return decryptAfterNonce(key, place, sealed.subarray(algorithmLength));
}

/** Opens what earlier versions sealed by algorithm 2. @throws IntegrityError as {@link open} does */
export function openOldDirect(key: KeyObject, place: Uint8Array, sealed: Uint8Array): Buffer {
  if (sealed[0] !== direct) throw refused();
  return decryptAfterNonce(key, place, sealed.subarray(algorithmLength));
}

/** Whether bytes say of themselves that an earlier version sealed them by algorithm 2. */
export const isOldDirect = (sealed: Uint8Array): boolean => sealed[0] === direct;

function encrypt(
  key: KeyObject,
  nonce: Uint8Array,
  place: Uint8Array,
  content: Uint8Array,
): [Buffer, Buffer] {
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagLength });
  encryption.setAAD(place);
  const ciphertext = encryption.update(content);
  encryption.final();
  return [ciphertext, encryption.getAuthTag()];
}

function encryptAfterNonce(key: KeyObject, place: Uint8Array, content: Uint8Array): [Buffer, Buffer, Buffer] {
  const nonce = random(nonceLength);
  return [nonce, ...encrypt(key, nonce, place, content)];
}

const decryptAfterNonce = (key: KeyObject, place: Uint8Array, encrypted: Uint8Array): Buffer =>
  decrypt(key, encrypted.subarray(0, nonceLength), place, encrypted.subarray(nonceLength));

function decrypt(key: KeyObject, nonce: Uint8Array, place: Uint8Array, encrypted: Uint8Array): Buffer {
  const tagAt = encrypted.length - tagLength;
  if (nonce.length !== nonceLength || tagAt < 0) throw refused();
  const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagLength });
  decryption.setAAD(place);
  decryption.setAuthTag(encrypted.subarray(tagAt));
  const content = decryption.update(encrypted.subarray(0, tagAt));
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

function deriveSalted(
  key: KeyObject,
  salt: Uint8Array,
  place: Uint8Array,
): { encryptionKey: KeyObject; nonce: Buffer } {
  // One call with all of it: each crosses into OpenSSL.
  const info = Buffer.concat([saltedLabel, salt, place, firstBlock]);
  const derived = createHmac('sha512', key).update(info).digest();
  const encryptionKey = keyOf(derived.subarray(0, keyLength));
  derived.fill(0, 0, keyLength);
  return { encryptionKey, nonce: derived.subarray(keyLength, keyLength + nonceLength) };
}

const refused = (): IntegrityError =>
  new IntegrityError('a sealed value does not belong here, or was changed');
