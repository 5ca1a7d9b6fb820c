import type { Transaction } from '#domain/transaction/state.ts';

/** A transaction without what its stream alone tells. */
export type TransactionSummary = Omit<Transaction, 'calls' | 'refunds' | 'approvalPayloadId'>;

/** A row of the view of transactions. */
export type TransactionRow = {
  tenant_id: string;
  id: string;
  status: Transaction['status'];
  token_id: string;
  token_containers: string[];
  payload_id: string | null;
  scheme: string | null;
  connection: Transaction['connection'];
  amount: string;
  currency: string;
  authorized_amount: string;
  captured_amount: string;
  refunded_amount: string;
  country: string | null;
  external_identifier: string | null;
  metadata: Record<string, string> | null;
  intent: Transaction['intent'];
  intent_outcome: Transaction['intentOutcome'];
  is_subsequent_payment: boolean;
  merchant_initiated: boolean;
  payment_source: Transaction['paymentSource'];
  previous_scheme_transaction_id: string | null;
  three_d_session_id: string | null;
  three_d_secure: Transaction['threeDSecure'] | null;
  connection_transaction_id: string | null;
  scheme_transaction_id: string | null;
  auth_response_code: string | null;
  cvv_response_code: NonNullable<Transaction['cvvResponseCode']> | null;
  avs_response_code: NonNullable<Transaction['avsResponseCode']> | null;
  raw_response_code: string | null;
  raw_response_description: string | null;
  additional_identifiers: NonNullable<Transaction['additionalIdentifiers']> | null;
  card: NonNullable<Transaction['card']> | null;
  error_code: string | null;
  approval_url: string | null;
  approval_expires_at: Date | null;
  authorized_at: Date | null;
  captured_at: Date | null;
  voided_at: Date | null;
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
  ordinal: string;
};

export const transactionColumns = `transaction.*,
  (select coalesce(sum(refund.amount), 0) from read_models.transaction_refunds as refund
    where refund.tenant_id = transaction.tenant_id and refund.transaction_id = transaction.id
      and refund.status = 'succeeded') as refunded_amount`;

export function transactionOf(row: TransactionRow): TransactionSummary {
  return {
    status: row.status,
    id: row.id,
    tenantId: row.tenant_id,
    tokenId: row.token_id,
    tokenContainers: row.token_containers,
    payloadId: row.payload_id ?? undefined,
    scheme: row.scheme ?? undefined,
    connection: row.connection,
    amount: Number(row.amount),
    currency: row.currency,
    authorizedAmount: Number(row.authorized_amount),
    capturedAmount: Number(row.captured_amount),
    refundedAmount: Number(row.refunded_amount),
    country: row.country ?? undefined,
    externalIdentifier: row.external_identifier ?? undefined,
    metadata: row.metadata ?? undefined,
    intent: row.intent,
    intentOutcome: row.intent_outcome,
    isSubsequentPayment: row.is_subsequent_payment,
    merchantInitiated: row.merchant_initiated,
    paymentSource: row.payment_source,
    previousSchemeTransactionId: row.previous_scheme_transaction_id ?? undefined,
    threeDSessionId: row.three_d_session_id ?? undefined,
    threeDSecure: row.three_d_secure ?? undefined,
    connectionTransactionId: row.connection_transaction_id ?? undefined,
    schemeTransactionId: row.scheme_transaction_id ?? undefined,
    authResponseCode: row.auth_response_code ?? undefined,
    cvvResponseCode: row.cvv_response_code ?? undefined,
    avsResponseCode: row.avs_response_code ?? undefined,
    rawResponseCode: row.raw_response_code ?? undefined,
    rawResponseDescription: row.raw_response_description ?? undefined,
    additionalIdentifiers: row.additional_identifiers ?? undefined,
    card: row.card ?? undefined,
    errorCode: row.error_code ?? undefined,
    approvalUrl: row.approval_url ?? undefined,
    approvalExpiresAt: iso(row.approval_expires_at),
    // One call that authorizes and captures does both at once.
    authorizedAt: iso(row.authorized_at ?? row.captured_at),
    capturedAt: iso(row.captured_at),
    voidedAt: iso(row.voided_at),
    createdBy: row.created_by ?? undefined,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const iso = (time: Date | null): string | undefined => time?.toISOString();
