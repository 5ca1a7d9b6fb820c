import type { KeyObject } from 'node:crypto';
import type { Json } from '#ports/json.ts';
import { IntegrityError } from '#ports/vault.ts';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';
import { newSalt, openSalted, sealSalted } from '#infra/vault/crypto/seal.ts';

/** Where a payload lies; what its ciphertext is bound to. */
export type PayloadPlace = {
  environment: string;
  tenantId: string;
  /** Of the record that it belongs to: `token-<tenant id>.<token id>`. */
  stream: string;
  payloadId: string;
};

/** Names a data key of a tenant: those of one day differ by their ordinal. */
export type DataKeyName = {
  /** Of the tenant key that wraps it. */
  version: number;
  /** Days since 1970-01-01, by UTC. */
  day: number;
  /** From 0 to 65,535. */
  ordinal: number;
};

export type DataKey = { name: DataKeyName; key: KeyObject };

/** A payload as it lies in its row. */
export type SealedPayload = {
  /** Of the tenant key that everything in the row depends on. */
  keyVersion: number;
  /** In a column of its own, as it is as secret as a key of the payload's own: it goes with the row. */
  salt: Buffer;
  /** Day (4 bytes, big endian) and ordinal (2 bytes) of the data key, then the sealed payload. */
  ciphertext: Buffer;
};

const dayLength = 4;
const nameLength = 6;

export function sealPayload(place: PayloadPlace, { name, key }: DataKey, data: Json): SealedPayload {
  const header = Buffer.allocUnsafe(nameLength);
  header.writeUInt32BE(name.day, 0);
  header.writeUInt16BE(name.ordinal, dayLength);
  const salt = newSalt();
  const sealed = sealSalted(key, salt, placeOf(place, 'data'), Buffer.from(JSON.stringify(data)));
  return { keyVersion: name.version, salt, ciphertext: Buffer.concat([header, sealed]) };
}

/** The data key that a payload is sealed under. @throws IntegrityError */
export function dataKeyNameOf({ keyVersion, ciphertext }: Omit<SealedPayload, 'salt'>): DataKeyName {
  if (ciphertext.length < nameLength) throw new IntegrityError('a sealed payload is too short');
  return {
    version: keyVersion,
    day: ciphertext.readUInt32BE(0),
    ordinal: ciphertext.readUInt16BE(dayLength),
  };
}

/** @throws IntegrityError */
export function openPayload(
  place: PayloadPlace,
  key: KeyObject,
  { salt, ciphertext }: Omit<SealedPayload, 'keyVersion'>,
): Json {
  const sealed = ciphertext.subarray(nameLength);
  return JSON.parse(openSalted(key, salt, placeOf(place, 'data'), sealed).toString());
}

/** The additional data of a part of a payload. */
export const placeOf = ({ environment, tenantId, stream, payloadId }: PayloadPlace, part: string): Buffer =>
  lengthPrefixed(environment, tenantId, stream, payloadId, part);
