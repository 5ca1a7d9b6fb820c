import type { Json } from '#ports/json.ts';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';
import type { PayloadPlace } from '#infra/vault/crypto/envelope.ts';
import { open, sealDirectly } from '#infra/vault/crypto/seal.ts';
import type { EpochKey } from '#infra/vault/keys/tenantKeys.ts';

/** Encrypts a short-lived part. The time is bound to it: an edited row does not live longer. */
export function sealPart(place: PayloadPlace, { key }: EpochKey, value: Json, storedAt: Date): Buffer {
  return sealDirectly(key, placeOf(place, storedAt), Buffer.from(JSON.stringify(value)));
}

/** @throws IntegrityError */
export function openPart(place: PayloadPlace, { key }: EpochKey, sealed: Buffer, storedAt: Date): Json {
  return JSON.parse(open(key, placeOf(place, storedAt), sealed).toString());
}

function placeOf({ environment, tenantId, payloadId }: PayloadPlace, storedAt: Date): Buffer {
  return lengthPrefixed(environment, tenantId, payloadId, `short-lived part ${storedAt.getTime()}`);
}
