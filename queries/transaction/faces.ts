import type { QueryDependencies } from '#queries/dependencies.ts';
import type { TransactionSummary } from '#queries/transaction/row.ts';
import type { CardFace } from '#src/orchestration/card.ts';

/** What is shown of the cards of transactions, by their payloads. */
export async function facesOf(
  { vault }: Pick<QueryDependencies, 'vault'>,
  tenantId: string,
  transactions: readonly Pick<TransactionSummary, 'payloadId'>[],
): Promise<Map<string, CardFace>> {
  const ids = transactions.flatMap(({ payloadId }) => payloadId ?? []);
  if (ids.length === 0) return new Map();
  const payloads = await vault.read(tenantId, ids);
  const faces = [...payloads].map(async ([id, payload]): Promise<[string, CardFace]> => [
    id,
    (await payload.data()) as CardFace,
  ]);
  return new Map(await Promise.all(faces));
}
