import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '#ports/vault.ts';

export const returnPath = '/orchestration/approvals';

type Subject = { tenantId: string; id: string };

/** Proves that a URL was made here: what a sandbox's page says on the way back is believed. */
async function proofOf(vault: Vault, { tenantId, id }: Subject): Promise<string> {
  const digest = await vault.blindIndex(tenantId, `return of the buyer of transaction ${id}`);
  return Buffer.from(digest).toString('base64url');
}

/** Where the buyer of a transaction comes back to after an approval. */
export async function returnUrlOf(
  { vault, publicUrl }: { vault: Vault; publicUrl: string },
  subject: Subject,
): Promise<string> {
  const proof = await proofOf(vault, subject);
  return `${publicUrl}${returnPath}/${subject.tenantId}/${subject.id}/${proof}`;
}

export async function isProof(vault: Vault, subject: Subject, given: string): Promise<boolean> {
  const right = Buffer.from(await proofOf(vault, subject));
  const claimed = Buffer.from(given);
  return right.length === claimed.length && timingSafeEqual(right, claimed);
}
