import type { Json } from '#ports/json.ts';
import { placeOf } from '#infra/vault/crypto/envelope.ts';
import type { PayloadPlace } from '#infra/vault/crypto/envelope.ts';
import { oldPlaceOf } from '#infra/vault/crypto/oldEnvelope.ts';
import { isOldDirect, openDirect, openOldDirect, sealDirect } from '#infra/vault/crypto/seal.ts';
import type { EpochKey } from '#infra/vault/keys/tenantKeys.ts';

/** Encrypts a short-lived part. The time is bound to it: an edited row does not live longer. */
export function sealPart(place: PayloadPlace, { key }: EpochKey, value: Json, storedAt: Date): Buffer {
  return sealDirect(key, placeOf(place, nameOf(storedAt)), Buffer.from(JSON.stringify(value)));
}

/** @throws IntegrityError */
export function openPart(place: PayloadPlace, { key }: EpochKey, sealed: Buffer, storedAt: Date): Json {
  // Sealed before an upgrade: an hour later there is none any more. The place of a new one is never that of an old one,
  // whose list is shorter, so a new one does not open so.
  const content = isOldDirect(sealed)
    ? openOldDirect(key, oldPlaceOf(place, nameOf(storedAt)), sealed)
    : openDirect(key, placeOf(place, nameOf(storedAt)), sealed);
  return JSON.parse(content.toString());
}

const nameOf = (storedAt: Date): string => `short-lived part ${storedAt.getTime()}`;
