import { transformFor } from '#access/evaluate.ts';
import type { Rights } from '#access/evaluate.ts';
import type { Transaction } from '#domain/transaction/state.ts';
import { Forbidden } from '#src/errors.ts';

export type PaymentPermission = 'token:use' | 'orchestration:transaction:capture';

/**
 * A payment lies where its token lay when it was made: who may not use that may not see or move it either.
 * @throws Forbidden
 */
export function requirePayment(
  rights: Rights,
  permission: PaymentPermission,
  { tokenId, tokenContainers }: Pick<Transaction, 'tokenId' | 'tokenContainers'>,
): void {
  if (transformFor(rights, permission, { id: tokenId, containers: tokenContainers }) !== undefined) return;
  throw new Forbidden(`${permission} is not granted for the token of this transaction.`);
}
