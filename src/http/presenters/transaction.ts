import { reconciliationId } from '#domain/transaction/reconciliationId.ts';
import type { Refund } from '#domain/transaction/state.ts';
import type { TransactionSummary } from '#queries/transaction/row.ts';
import type { CardFace } from '#src/orchestration/card.ts';

/** What the vault alone knows of a transaction. */
export type TransactionSecrets = { face?: CardFace | undefined; approvalUrl?: string | undefined };

/** A transaction as it goes out, with every member that there is. spec: Transaction */
export const presentTransaction = (transaction: TransactionSummary, secrets: TransactionSecrets): object => ({
  type: 'transaction',
  id: transaction.id,
  reconciliation_id: reconciliationId(transaction.id),
  external_identifier: transaction.externalIdentifier ?? null,
  status: transaction.status,
  intent: transaction.intent,
  intent_outcome: transaction.intentOutcome,
  amount: transaction.amount,
  currency: transaction.currency,
  country: transaction.country ?? null,
  authorized_amount: transaction.authorizedAmount,
  captured_amount: transaction.capturedAmount,
  refunded_amount: transaction.refundedAmount,
  payment_method: presentPaymentMethod(transaction, secrets),
  instrument_type: 'pan',
  connection: { type: 'connection', ...transaction.connection },
  connection_transaction_id: transaction.connectionTransactionId ?? null,
  scheme_transaction_id: transaction.schemeTransactionId ?? null,
  previous_scheme_transaction_id: transaction.previousSchemeTransactionId ?? null,
  payment_source: transaction.paymentSource,
  merchant_initiated: transaction.merchantInitiated,
  is_subsequent_payment: transaction.isSubsequentPayment,
  three_d_session_id: transaction.threeDSessionId ?? null,
  three_d_secure: transaction.threeDSecure ?? null,
  error_code: transaction.errorCode ?? null,
  auth_response_code: transaction.authResponseCode ?? null,
  cvv_response_code: transaction.cvvResponseCode ?? null,
  avs_response_code: transaction.avsResponseCode ?? null,
  raw_response_code: transaction.rawResponseCode ?? null,
  raw_response_description: transaction.rawResponseDescription ?? null,
  additional_identifiers: transaction.additionalIdentifiers ?? {},
  metadata: transaction.metadata ?? null,
  approval_expires_at: transaction.approvalExpiresAt ?? null,
  authorized_at: transaction.authorizedAt ?? null,
  captured_at: transaction.capturedAt ?? null,
  voided_at: transaction.voidedAt ?? null,
  created_by: transaction.createdBy ?? null,
  created_at: transaction.createdAt,
  updated_at: transaction.updatedAt,
});

/** The members that payment methods have upstream; what is not kept here is null. */
const presentPaymentMethod = (
  transaction: TransactionSummary,
  { face, approvalUrl }: TransactionSecrets,
): object => ({
  type: 'payment-method',
  id: null,
  token: transaction.tokenId,
  method: 'card',
  mode: 'card',
  label: face?.label ?? null,
  scheme: transaction.scheme ?? null,
  expiration_date: face?.expiration_date ?? null,
  details: {
    bin: face?.bin ?? null,
    card_type: transaction.card?.type ?? null,
    card_issuer_name: transaction.card?.issuer_name ?? null,
  },
  fingerprint: null,
  approval_url: approvalUrl ?? null,
  approval_target: approvalUrl === undefined ? null : 'any',
  country: transaction.country ?? null,
  currency: transaction.currency,
  external_identifier: null,
  last_replaced_at: null,
  payment_account_reference: transaction.card?.payment_account_reference ?? null,
});

/** Source: reference of transactions, refunds. */
export const presentRefund = (
  { id: transactionId, currency }: Pick<TransactionSummary, 'id' | 'currency'>,
  refund: Refund,
): object => ({
  type: 'refund',
  id: refund.id,
  transaction_id: transactionId,
  connection_refund_id: refund.connectionRefundId ?? null,
  status: refund.status,
  currency,
  amount: refund.amount,
  reason: refund.reason ?? null,
  error_code: refund.errorCode ?? null,
  created_at: refund.createdAt,
  updated_at: refund.updatedAt,
});
