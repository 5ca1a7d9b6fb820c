import type { KeyObject } from 'node:crypto';
import type { Json } from '#ports/json.ts';
import { IntegrityError } from '#ports/vault.ts';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';
import { keyOf, newKeyBytes, open, seal, sealDirectly } from '#infra/vault/crypto/seal.ts';

/** Where a payload lies; part of what its ciphertext is bound to. */
export type PayloadPlace = { environment: string; tenantId: string; payloadId: string };

export type SealedPayload = {
  keyVersion: number;
  /** The tenant key's version (4 bytes, big endian), then the sealed data key. */
  wrappedKey: Buffer;
  ciphertext: Buffer;
};

export type VersionedKey = { version: number; key: KeyObject };
/** A tenant's data key of a version, or undefined where there is none. */
export type KeyOfVersion = (version: number) => KeyObject | undefined;

const versionLength = 4;

export function sealPayload(place: PayloadPlace, { version, key }: VersionedKey, data: Json): SealedPayload {
  const bytes = newKeyBytes();
  const ciphertext = sealDirectly(keyOf(bytes), placeOf(place, 'data'), Buffer.from(JSON.stringify(data)));
  const wrappedKey = wrapDataKey(place, version, key, bytes);
  bytes.fill(0);
  return { keyVersion: version, wrappedKey, ciphertext };
}

/** @throws IntegrityError */
export function openPayload(
  place: PayloadPlace,
  keyOfVersion: KeyOfVersion,
  { wrappedKey, ciphertext }: Pick<SealedPayload, 'wrappedKey' | 'ciphertext'>,
): Json {
  const bytes = unwrapDataKey(place, keyOfVersion, wrappedKey);
  const content = open(keyOf(bytes), placeOf(place, 'data'), ciphertext);
  bytes.fill(0);
  return JSON.parse(content.toString());
}

/** The same data key under another tenant key: the data's ciphertext stays as it is. @throws IntegrityError */
export function rewrapDataKey(
  place: PayloadPlace,
  keyOfVersion: KeyOfVersion,
  { version, key }: VersionedKey,
  wrappedKey: Buffer,
): Buffer {
  const bytes = unwrapDataKey(place, keyOfVersion, wrappedKey);
  const rewrapped = wrapDataKey(place, version, key, bytes);
  bytes.fill(0);
  return rewrapped;
}

export function keyVersionOf(wrappedKey: Buffer): number {
  if (wrappedKey.length < versionLength) throw new IntegrityError('a wrapped key is too short');
  return wrappedKey.readUInt32BE(0);
}

function wrapDataKey(place: PayloadPlace, version: number, key: KeyObject, bytes: Buffer): Buffer {
  const sealed = seal(key, placeOf(place, `data key ${version}`), bytes);
  const header = Buffer.allocUnsafe(versionLength);
  header.writeUInt32BE(version);
  return Buffer.concat([header, sealed]);
}

function unwrapDataKey(place: PayloadPlace, keyOfVersion: KeyOfVersion, wrappedKey: Buffer): Buffer {
  const version = keyVersionOf(wrappedKey);
  const key = keyOfVersion(version);
  if (key === undefined) throw new IntegrityError('a payload names a key version that does not exist');
  return open(key, placeOf(place, `data key ${version}`), wrappedKey.subarray(versionLength));
}

function placeOf({ environment, tenantId, payloadId }: PayloadPlace, part: string): Buffer {
  return lengthPrefixed(environment, tenantId, payloadId, part);
}
