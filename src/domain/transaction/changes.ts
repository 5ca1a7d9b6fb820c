import type { Static } from 'typebox';
import type { Answered, TransactionEvent } from '#domain/transaction/events.ts';
import type { Call, Refund, Transaction } from '#domain/transaction/state.ts';

type EventOf<Type extends TransactionEvent['type']> = Extract<TransactionEvent, { type: Type }>;

/** A call that the provider is about to hear of. */
export const call = (data: { call_id: string; amount: number }, at: string) =>
  ({ id: data.call_id, amount: data.amount, requestedAt: at, progress: 'requested' }) as const;

export const withCall = (state: Transaction, added: Call): Transaction => ({
  ...state,
  calls: [...state.calls, added],
});

/** The call that had happened nevertheless is past; what it brought is given back by another. */
export function withReversal(
  state: Transaction,
  event: EventOf<'transaction.reversal_requested'>,
  at: string,
) {
  const { call_id, reverses, by } = event.data;
  const known = answered(state, { data: { ...event.data, call_id: reverses } }, 'reversed');
  return withCall(known, {
    ...call({ call_id, amount: event.data.amount }, at),
    operation: 'reversal',
    by,
  });
}

export function withRefund(state: Transaction, event: EventOf<'transaction.refund_requested'>, at: string) {
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
export const approved = (state: Transaction): Transaction => ({
  ...state,
  approvalUrl: undefined,
  approvalPayloadId: undefined,
  approvalExpiresAt: undefined,
  errorCode: undefined,
});

const progressed = (
  { calls }: Transaction,
  callId: string,
  progress: Call['progress'],
  operationId?: string,
): Transaction['calls'] =>
  calls.map((each) => {
    if (each.id !== callId) return each;
    const isTakenBack = each.progress === 'done' && progress === 'refused';
    return {
      ...each,
      progress: isTakenBack ? 'revoked' : progress,
      ...(operationId === undefined ? {} : { operationId }),
    };
  });

type Answer = { data: Omit<Static<typeof Answered>, 'id'> };

/** A fact stays known when a later answer leaves it out. */
export const answered = (state: Transaction, { data }: Answer, progress: Call['progress']): Transaction => ({
  ...state,
  connectionTransactionId: data.connection_transaction_id ?? state.connectionTransactionId,
  schemeTransactionId: data.scheme_transaction_id ?? state.schemeTransactionId,
  authResponseCode: data.auth_response_code ?? state.authResponseCode,
  cvvResponseCode: data.cvv_response_code ?? state.cvvResponseCode,
  avsResponseCode: data.avs_response_code ?? state.avsResponseCode,
  rawResponseCode: data.raw_response_code ?? state.rawResponseCode,
  rawResponseDescription: data.raw_response_description ?? state.rawResponseDescription,
  additionalIdentifiers: data.additional_identifiers ?? state.additionalIdentifiers,
  card: data.card ?? state.card,
  threeDSecure: data.three_d_secure ?? state.threeDSecure,
  calls: progressed(state, data.call_id, progress, data.operation_id),
});

export const sumOfRefunds = ({ refunds }: Transaction): number =>
  refunds.reduce((sum, { status, amount }) => (status === 'succeeded' ? sum + amount : sum), 0);

export function refunded(
  state: Transaction,
  { data }: { data: { call_id: string; refund_id: string; connection_refund_id?: string | undefined } },
  change: Partial<Refund>,
  progress: Call['progress'],
): Transaction {
  const refunds = state.refunds.map((each) =>
    each.id === data.refund_id
      ? { ...each, connectionRefundId: data.connection_refund_id ?? each.connectionRefundId, ...change }
      : each,
  );
  return { ...state, refunds, calls: progressed(state, data.call_id, progress) };
}
