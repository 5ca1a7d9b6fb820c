import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '#ports/vault.ts';

export const returnPath = '/orchestration/approvals';

type Subject = { tenantId: string; id: string };

/** What a link lets its holder do: pay, or say to have paid. One must not be made of the other. */
export type Purpose = 'return' | 'approval';

/** Proves that a URL was made here: what a sandbox's page says on the way back is believed. */
export async function proofOf(vault: Vault, { tenantId, id }: Subject, purpose: Purpose): Promise<string> {
  const digest = await vault.blindIndex(tenantId, `${purpose} of the buyer of transaction ${id}`);
  return Buffer.from(digest).toString('base64url');
}

/** Where the buyer of a transaction comes back to after an approval. */
export async function returnUrlOf(
  { vault, publicUrl }: { vault: Vault; publicUrl: string },
  subject: Subject,
): Promise<string> {
  const proof = await proofOf(vault, subject, 'return');
  return `${publicUrl}${returnPath}/${subject.tenantId}/${subject.id}/${proof}`;
}

export async function isProof(
  vault: Vault,
  subject: Subject,
  given: string,
  purpose: Purpose,
): Promise<boolean> {
  const right = Buffer.from(await proofOf(vault, subject, purpose));
  const claimed = Buffer.from(given);
  return right.length === claimed.length && timingSafeEqual(right, claimed);
}
