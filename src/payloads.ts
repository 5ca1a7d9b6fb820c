import { tokenStream } from '#domain/token/events.ts';
import type { LiveToken } from '#domain/token/state.ts';
import type { Json } from '#ports/json.ts';
import type { PayloadReference, StoredPayload, Vault } from '#ports/vault.ts';

type Reading = Pick<Vault, 'read'>;

/** One payload; undefined when there is none. @throws StoreUnavailable */
export async function readPayload(
  vault: Reading,
  tenantId: string,
  reference: PayloadReference,
): Promise<StoredPayload | undefined> {
  const [payload] = await vault.read(tenantId, [reference]);
  return payload;
}

/** How a token names its payload. */
export const tokenPayload = (
  tenantId: string,
  { id, payloadId }: Pick<LiveToken, 'id' | 'payloadId'>,
): PayloadReference => ({ id: payloadId, stream: tokenStream(tenantId, id) });

/** What the vault keeps of a token; undefined when it has forgotten it. @throws StoreUnavailable */
export const readTokenPayload = (
  vault: Reading,
  token: Pick<LiveToken, 'tenantId' | 'id' | 'payloadId'>,
): Promise<StoredPayload | undefined> =>
  readPayload(vault, token.tenantId, tokenPayload(token.tenantId, token));

/**
 * Records of one tenant with what the vault keeps of them, in their order. A record whose payload the vault has
 * forgotten was deleted or changed a moment ago, and is left out.
 * @throws StoreUnavailable, IntegrityError
 */
export async function withPayloads<Item extends { id: string; payloadId: string }>(
  vault: Reading,
  tenantId: string,
  records: readonly Item[],
  streamOf: (tenantId: string, id: string) => string,
): Promise<{ record: Item; data: Json }[]> {
  const payloads = await vault.read(
    tenantId,
    records.map((record) => ({ id: record.payloadId, stream: streamOf(tenantId, record.id) })),
  );
  const found = await Promise.all(
    records.map(async (record, index) => {
      const data = await payloads[index]?.data();
      return data === undefined ? [] : [{ record, data }];
    }),
  );
  return found.flat();
}
