import type { Json } from '#ports/json.ts';
import { IntegrityError } from '#ports/vault.ts';
import { dataKeyNameOf, openPayload } from '#infra/vault/crypto/envelope.ts';
import type { PayloadPlace, SealedPayload } from '#infra/vault/crypto/envelope.ts';
import { oldKeyVersionOf, openOldPayload } from '#infra/vault/crypto/oldEnvelope.ts';
import type { DataKeys, HeldKeys } from '#infra/vault/dataKeys/dataKeys.ts';

/** What lies in a row: a salt, or, in those of earlier versions, a wrapped key. */
export type SealedRow = Omit<SealedPayload, 'salt'> & { salt: Buffer | null; wrappedKey: Buffer | null };

export type RowKeys = {
  /** Keys among which is the version, if there is one. */
  keysOf(version: number): Promise<HeldKeys>;
  dataKeys: DataKeys;
};

/**
 * Decrypts what lies in a row. A row with a wrapped key is of an earlier version, and what was sealed since then opens
 * under no such key: a writer of the database cannot take a ciphertext back to the older form.
 * @throws IntegrityError
 */
export async function openRow(
  { keysOf, dataKeys }: RowKeys,
  place: PayloadPlace,
  row: SealedRow,
): Promise<Json> {
  const { wrappedKey, salt, ciphertext } = row;
  if (wrappedKey !== null) {
    const keys = await keysOf(oldKeyVersionOf(wrappedKey));
    return openOldPayload(place, (version) => keys.data.get(version), { wrappedKey, ciphertext });
  }
  if (salt === null) throw new IntegrityError('a payload has no salt');
  const name = dataKeyNameOf(row);
  const keys = await keysOf(name.version);
  const { key } = await dataKeys.forReading(place.tenantId, keys, name);
  return openPayload(place, key, { salt, ciphertext });
}
