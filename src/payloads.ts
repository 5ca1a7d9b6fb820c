import type { Json } from '#ports/json.ts';
import type { Vault } from '#ports/vault.ts';

/**
 * Records of one tenant with what the vault keeps of them, in their order. A record whose payload the vault has
 * forgotten was deleted or changed a moment ago, and is left out.
 * @throws StoreUnavailable, IntegrityError
 */
export async function withPayloads<Item extends { payloadId: string }>(
  vault: Pick<Vault, 'read'>,
  tenantId: string,
  records: readonly Item[],
): Promise<{ record: Item; data: Json }[]> {
  const payloads = await vault.read(
    tenantId,
    records.map(({ payloadId }) => payloadId),
  );
  const found = await Promise.all(
    records.map(async (record) => {
      const data = await payloads.get(record.payloadId)?.data();
      return data === undefined ? [] : [{ record, data }];
    }),
  );
  return found.flat();
}
