import { loadTransaction } from '#commands/transaction/load.ts';
import { transactionStream } from '#domain/transaction/events.ts';
import type { Outcome } from '#domain/transaction/outcome.ts';
import type { Call, Transaction } from '#domain/transaction/state.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { isProof, proofOf } from '#src/orchestration/proof.ts';
import { readPayload } from '#src/payloads.ts';

/** The page on which buyers approve payments of the sandbox. */
export const sandboxApprovalPath = '/orchestration/sandbox/approval';
/** Where buyers of all providers set out from. */
export const approvalPath = '/orchestration/approve';

const approvalOf = (transactionId: string): string => `approval by the buyer of transaction ${transactionId}`;

type ApprovalRequired = Extract<Outcome, { kind: 'approval_required' }>;

/**
 * Puts the address of the provider's page into the vault, for as long as it may be visited: it may hold a secret.
 * What is written down is the path of a page here, which leads on to it.
 */
export async function keepApprovalPage(
  { vault }: Pick<PaymentDependencies, 'vault'>,
  { tenantId, id }: Pick<Transaction, 'tenantId' | 'id'>,
  call: Call,
  outcome: ApprovalRequired,
): Promise<ApprovalRequired> {
  const approvalPayloadId = derivedId(call.id, 'approval page');
  await vault.store({
    id: approvalPayloadId,
    tenantId,
    stream: transactionStream(tenantId, id),
    data: outcome.approvalUrl,
    expiresAt: new Date(outcome.approvalExpiresAt),
  });
  return { ...outcome, approvalUrl: `${approvalPath}/${tenantId}/${id}`, approvalPayloadId };
}

type Waiting = Pick<Transaction, 'tenantId' | 'id' | 'approvalUrl'>;

/** Where the buyer of a transaction goes, while that is waited for. */
export async function approvalUrlOf(
  { vault, publicUrl }: Pick<PaymentDependencies, 'vault' | 'publicUrl'>,
  transaction: Waiting,
): Promise<string | undefined> {
  const { approvalUrl } = transaction;
  if (approvalUrl?.startsWith('/') !== true) return approvalUrl;
  return `${publicUrl}${approvalUrl}/${await proofOf(vault, transaction.tenantId, approvalOf(transaction.id))}`;
}

/**
 * The provider's page that the link of a buyer leads on to.
 * @returns the transaction alone where nothing is to be approved any more
 * @throws NotFound for a link that was not made here
 */
export async function followApproval(
  dependencies: Pick<PaymentDependencies, 'log' | 'vault'>,
  { tenantId, id, proof }: { tenantId: string; id: string; proof: string },
): Promise<{ transaction: Transaction; page: string | undefined }> {
  const transaction = (await loadTransaction(dependencies, tenantId, id))?.state;
  if (transaction === undefined) throw new NotFound();
  if (!(await isProof(dependencies.vault, tenantId, approvalOf(transaction.id), proof))) throw new NotFound();
  const { approvalPayloadId } = transaction;
  if (approvalPayloadId === undefined) return { transaction, page: undefined };
  const payload = await readPayload(dependencies.vault, tenantId, {
    id: approvalPayloadId,
    stream: transactionStream(tenantId, id),
  });
  const page = await payload?.data();
  return { transaction, page: typeof page === 'string' ? page : undefined };
}
