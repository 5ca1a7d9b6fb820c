import { transactionStream } from '#domain/transaction/events.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import type { TransactionSummary } from '#queries/transaction/row.ts';
import type { CardFace } from '#src/orchestration/card.ts';
import { withPayloads } from '#src/payloads.ts';

/** What is shown of the cards of transactions, by the ids of these. */
export async function facesOf(
  { vault }: Pick<QueryDependencies, 'vault'>,
  tenantId: string,
  transactions: readonly Pick<TransactionSummary, 'id' | 'payloadId'>[],
): Promise<Map<string, CardFace>> {
  const kept = transactions.flatMap(({ id, payloadId }) =>
    payloadId === undefined ? [] : [{ id, payloadId }],
  );
  const found = await withPayloads(vault, tenantId, kept, transactionStream);
  return new Map(found.map(({ record, data }) => [record.id, data as CardFace]));
}
