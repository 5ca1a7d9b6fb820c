import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import { initialTransaction } from '#domain/transaction/state.ts';
import {
  answered,
  approved,
  call,
  refunded,
  sumOfRefunds,
  withCall,
  withRefund,
  withReversal,
} from '#domain/transaction/changes.ts';
import type { Transaction, TransactionState } from '#domain/transaction/state.ts';

type EventOf<Type extends TransactionEvent['type']> = Extract<TransactionEvent, { type: Type }>;

/** Folds one event into the state of a transaction. */
export function evolveTransaction(state: TransactionState, event: TransactionEvent): TransactionState {
  if (event.type === 'transaction.created') return created(event);
  if (state.status === 'absent') return state;
  const at = event.metadata.occurred_at;
  return { ...changed(state, event, at), updatedAt: at };
}

export const transactionFold: Fold<TransactionState, TransactionEvent> = {
  initial: initialTransaction,
  evolve: evolveTransaction,
};

type Later = Exclude<TransactionEvent, { type: 'transaction.created' }>;

function changed(state: Transaction, event: Later, at: string): Transaction {
  switch (event.type) {
    case 'transaction.authorization_requested':
      return withCall(state, { ...call(event.data, at), operation: 'authorization' });
    case 'transaction.capture_requested':
      return withCall(state, { ...call(event.data, at), operation: 'capture' });
    case 'transaction.void_requested':
      return withCall(state, {
        ...call({ ...event.data, amount: state.authorizedAmount }, at),
        operation: 'void',
      });
    case 'transaction.refund_requested':
      return withRefund(state, event, at);
    case 'transaction.authorization_pending':
      return answered(state, event, 'acknowledged');
    case 'transaction.buyer_approval_pending':
      return {
        ...answered(state, event, 'acknowledged'),
        status: 'buyer_approval_pending',
        approvalUrl: event.data.approval_url,
        approvalPayloadId: event.data.approval_payload_id,
        approvalExpiresAt: event.data.approval_expires_at,
      };
    case 'transaction.authorization_succeeded':
      return {
        ...approved(answered(state, event, 'done')),
        status: 'authorization_succeeded',
        authorizedAmount: event.data.authorized_amount,
        authorizedAt: at,
        intentOutcome: 'succeeded',
      };
    case 'transaction.authorization_declined':
    case 'transaction.authorization_failed':
      return {
        ...approved(answered(state, event, 'refused')),
        status:
          event.type === 'transaction.authorization_declined'
            ? 'authorization_declined'
            : 'authorization_failed',
        errorCode: event.data.error_code,
        intentOutcome: 'failed',
      };
    case 'transaction.capture_pending':
      return { ...approved(answered(state, event, 'acknowledged')), status: 'capture_pending' };
    case 'transaction.capture_succeeded':
      return {
        ...approved(answered(state, event, 'done')),
        status: 'capture_succeeded',
        authorizedAmount: event.data.authorized_amount,
        authorizedAt: state.authorizedAt ?? at,
        capturedAmount: event.data.captured_amount,
        capturedAt: at,
        intentOutcome: 'succeeded',
      };
    case 'transaction.authorization_void_pending':
      return { ...answered(state, event, 'acknowledged'), status: 'authorization_void_pending' };
    case 'transaction.authorization_voided':
      return {
        ...approved(answered(state, event, 'done')),
        status: 'authorization_voided',
        voidedAt: at,
      };
    case 'transaction.capture_failed':
    case 'transaction.void_failed':
      return {
        ...answered(state, event, 'refused'),
        status: 'authorization_succeeded',
        errorCode: event.data.error_code,
      };
    case 'transaction.capture_revoked':
      return {
        ...answered(state, event, 'refused'),
        status: 'authorization_succeeded',
        capturedAmount: 0,
        capturedAt: undefined,
        errorCode: event.data.error_code,
        intentOutcome: event.data.intent_outcome,
      };
    case 'transaction.reversal_requested':
      return withReversal(state, event, at);
    case 'transaction.reversal_pending':
      return answered(state, event, 'acknowledged');
    case 'transaction.reversal_succeeded':
      return answered(state, event, 'done');
    case 'transaction.reversal_failed':
      return answered(state, event, 'refused');
    case 'transaction.refund_pending':
      return refunded(state, event, { status: 'processing', updatedAt: at }, 'acknowledged');
    case 'transaction.refund_succeeded': {
      const change = { status: 'succeeded', errorCode: undefined, updatedAt: at } as const;
      const after = refunded(state, event, change, 'done');
      return { ...after, refundedAmount: sumOfRefunds(after) };
    }
    case 'transaction.refund_declined':
    case 'transaction.refund_failed': {
      const status = event.type === 'transaction.refund_declined' ? 'declined' : 'failed';
      const after = refunded(
        state,
        event,
        { status, errorCode: event.data.error_code, updatedAt: at },
        'refused',
      );
      return { ...after, refundedAmount: sumOfRefunds(after) };
    }
    case 'transaction.refund_voided':
      return refunded(state, event, { status: 'voided', updatedAt: at }, 'refused');
    default:
      return unreachable(event);
  }
}

function created({ data, metadata }: EventOf<'transaction.created'>): Transaction {
  const at = metadata.occurred_at;
  return {
    status: 'processing',
    id: data.id,
    tenantId: metadata.tenant_id,
    tokenId: data.token_id,
    tokenContainers: data.token_containers ?? [],
    payloadId: data.payload_id,
    scheme: data.scheme,
    connection: data.connection,
    amount: data.amount,
    currency: data.currency,
    authorizedAmount: 0,
    capturedAmount: 0,
    refundedAmount: 0,
    country: data.country,
    externalIdentifier: data.external_identifier,
    metadata: data.metadata,
    intent: data.intent,
    intentOutcome: 'pending',
    isSubsequentPayment: data.is_subsequent_payment,
    merchantInitiated: data.merchant_initiated,
    paymentSource: data.payment_source,
    previousSchemeTransactionId: data.previous_scheme_transaction_id,
    threeDSessionId: data.three_d_session_id,
    threeDSecure: data.three_d_secure,
    connectionTransactionId: undefined,
    schemeTransactionId: undefined,
    authResponseCode: undefined,
    cvvResponseCode: undefined,
    avsResponseCode: undefined,
    rawResponseCode: undefined,
    rawResponseDescription: undefined,
    additionalIdentifiers: undefined,
    card: undefined,
    errorCode: undefined,
    approvalUrl: undefined,
    approvalPayloadId: undefined,
    approvalExpiresAt: undefined,
    authorizedAt: undefined,
    capturedAt: undefined,
    voidedAt: undefined,
    createdBy: authorOf({ metadata }),
    createdAt: at,
    updatedAt: at,
    calls: [],
    refunds: [],
  };
}
