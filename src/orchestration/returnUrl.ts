import type { Vault } from '#ports/vault.ts';
import { proofOf } from '#src/orchestration/proof.ts';

export const returnPath = '/orchestration/approvals';

/** What the sandbox's page says on the way back is believed. */
export const returnOf = (transactionId: string): string =>
  `return of the buyer of transaction ${transactionId}`;

/** Where the buyer of a transaction comes back to after an approval. */
export async function returnUrlOf(
  { vault, publicUrl }: { vault: Vault; publicUrl: string },
  { tenantId, id }: { tenantId: string; id: string },
): Promise<string> {
  const proof = await proofOf(vault, tenantId, returnOf(id));
  return `${publicUrl}${returnPath}/${tenantId}/${id}/${proof}`;
}
