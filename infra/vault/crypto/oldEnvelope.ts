import type { KeyObject } from 'node:crypto';
import type { Json } from '#ports/json.ts';
import { IntegrityError } from '#ports/vault.ts';
import type { PayloadPlace } from '#infra/vault/crypto/envelope.ts';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';
import { isOldDirect, keyOf, open, openOldDirect } from '#infra/vault/crypto/seal.ts';

/*
 * Payloads of versions before decision 53: each has a data key of its own, wrapped beside it, and is not bound to its
 * record. They are opened, and made no more: `keys rewrap` seals them anew.
 */

/** A tenant's data key of a version, or undefined where there is none. */
export type KeyOfVersion = (version: number) => KeyObject | undefined;

export type OldSealedPayload = {
  /** The tenant key's version (4 bytes, big endian), then the sealed data key. */
  wrappedKey: Buffer;
  ciphertext: Buffer;
};

const versionLength = 4;

/** @throws IntegrityError */
export function openOldPayload(
  place: PayloadPlace,
  keyOfVersion: KeyOfVersion,
  { wrappedKey, ciphertext }: OldSealedPayload,
): Json {
  const bytes = unwrapDataKey(place, keyOfVersion, wrappedKey);
  const key = keyOf(bytes);
  bytes.fill(0);
  // The first version sealed payloads by algorithm 1. The key opens one payload, so there is nothing to choose for.
  const openWith = isOldDirect(ciphertext) ? openOldDirect : open;
  return JSON.parse(openWith(key, oldPlaceOf(place, 'data'), ciphertext).toString());
}

export function oldKeyVersionOf(wrappedKey: Buffer): number {
  if (wrappedKey.length < versionLength) throw new IntegrityError('a wrapped key is too short');
  return wrappedKey.readUInt32BE(0);
}

function unwrapDataKey(place: PayloadPlace, keyOfVersion: KeyOfVersion, wrappedKey: Buffer): Buffer {
  const version = oldKeyVersionOf(wrappedKey);
  const key = keyOfVersion(version);
  if (key === undefined) throw new IntegrityError('a payload names a key version that does not exist');
  return open(key, oldPlaceOf(place, `data key ${version}`), wrappedKey.subarray(versionLength));
}

/** As {@link PayloadPlace} without the record. */
export const oldPlaceOf = ({ environment, tenantId, payloadId }: PayloadPlace, part: string): Buffer =>
  lengthPrefixed(environment, tenantId, payloadId, part);
