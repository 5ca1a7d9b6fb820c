import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '#ports/vault.ts';

/** Makes a link that nobody else can make. @param what the link lets its holder do; another is another proof */
export async function proofOf(
  vault: Pick<Vault, 'blindIndex'>,
  tenantId: string,
  what: string,
): Promise<string> {
  return Buffer.from(await vault.blindIndex(tenantId, what)).toString('base64url');
}

export async function isProof(
  vault: Pick<Vault, 'blindIndex'>,
  tenantId: string,
  what: string,
  given: string,
): Promise<boolean> {
  const right = Buffer.from(await proofOf(vault, tenantId, what));
  const claimed = Buffer.from(given);
  return right.length === claimed.length && timingSafeEqual(right, claimed);
}
