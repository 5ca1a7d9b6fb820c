import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import { initialTransaction } from '#domain/transaction/state.ts';
import type {
  Call,
  ProviderFacts,
  Refund,
  Transaction,
  TransactionState,
} from '#domain/transaction/state.ts';

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
        approvalExpiresAt: event.data.approval_expires_at,
      };
    case 'transaction.authorization_succeeded':
      return {
        ...approved(answered(state, event, 'settled')),
        status: 'authorization_succeeded',
        authorizedAmount: event.data.authorized_amount,
        authorizedAt: at,
        intentOutcome: 'succeeded',
      };
    case 'transaction.authorization_declined':
    case 'transaction.authorization_failed':
      return {
        ...approved(answered(state, event, 'settled')),
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
        ...approved(answered(state, event, 'settled')),
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
        ...approved(answered(state, event, 'settled')),
        status: 'authorization_voided',
        voidedAt: at,
      };
    case 'transaction.capture_failed':
    case 'transaction.void_failed':
      return {
        ...answered(state, event, 'settled'),
        status: 'authorization_succeeded',
        errorCode: event.data.error_code,
      };
    case 'transaction.refund_pending':
      return refunded(state, event, { status: 'processing', updatedAt: at }, 'acknowledged');
    case 'transaction.refund_succeeded': {
      const { amount } = event.data;
      const after = refunded(state, event, { status: 'succeeded', updatedAt: at });
      return { ...after, refundedAmount: state.refundedAmount + amount };
    }
    case 'transaction.refund_declined':
    case 'transaction.refund_failed': {
      const status = event.type === 'transaction.refund_declined' ? 'declined' : 'failed';
      return refunded(state, event, { status, errorCode: event.data.error_code, updatedAt: at });
    }
    case 'transaction.refund_voided':
      return refunded(state, event, { status: 'voided', updatedAt: at });
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
    errorCode: undefined,
    approvalUrl: undefined,
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

const call = (data: { call_id: string; amount: number }, at: string) =>
  ({ id: data.call_id, amount: data.amount, requestedAt: at, progress: 'requested' }) as const;

const withCall = (state: Transaction, added: Call): Transaction => ({
  ...state,
  calls: [...state.calls, added],
});

function withRefund(state: Transaction, event: EventOf<'transaction.refund_requested'>, at: string) {
  const { refund_id: id, call_id: callId, amount, reason } = event.data;
  const refund: Refund = {
    id,
    callId,
    status: 'processing',
    amount,
    reason,
    connectionRefundId: undefined,
    errorCode: undefined,
    createdAt: at,
    updatedAt: at,
  };
  const called = withCall(state, { ...call(event.data, at), operation: 'refund', refundId: id });
  return { ...called, refunds: [...state.refunds, refund] };
}

/** Nothing is waited for any more, and an earlier failure is past. */
const approved = (state: Transaction): Transaction => ({
  ...state,
  approvalUrl: undefined,
  approvalExpiresAt: undefined,
  errorCode: undefined,
});

const progressed = (
  { calls }: Transaction,
  callId: string,
  progress: Call['progress'],
  operationId?: string,
): Transaction['calls'] =>
  calls.map((each) =>
    each.id === callId ? { ...each, progress, ...(operationId === undefined ? {} : { operationId }) } : each,
  );

type Answer = {
  data: {
    call_id: string;
    operation_id?: string | undefined;
    connection_transaction_id?: string | undefined;
    scheme_transaction_id?: string | undefined;
    auth_response_code?: string | undefined;
    cvv_response_code?: ProviderFacts['cvvResponseCode'];
    three_d_secure?: ProviderFacts['threeDSecure'];
  };
};

/** A fact stays known when a later answer leaves it out. */
const answered = (state: Transaction, { data }: Answer, progress: Call['progress']): Transaction => ({
  ...state,
  connectionTransactionId: data.connection_transaction_id ?? state.connectionTransactionId,
  schemeTransactionId: data.scheme_transaction_id ?? state.schemeTransactionId,
  authResponseCode: data.auth_response_code ?? state.authResponseCode,
  cvvResponseCode: data.cvv_response_code ?? state.cvvResponseCode,
  threeDSecure: data.three_d_secure ?? state.threeDSecure,
  calls: progressed(state, data.call_id, progress, data.operation_id),
});

function refunded(
  state: Transaction,
  { data }: { data: { call_id: string; refund_id: string; connection_refund_id?: string | undefined } },
  change: Partial<Refund>,
  progress: Call['progress'] = 'settled',
): Transaction {
  const refunds = state.refunds.map((each) =>
    each.id === data.refund_id
      ? { ...each, connectionRefundId: data.connection_refund_id ?? each.connectionRefundId, ...change }
      : each,
  );
  return { ...state, refunds, calls: progressed(state, data.call_id, progress) };
}
