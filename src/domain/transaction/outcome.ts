import { unreachable } from '#domain/event.ts';
import type { Decided, Decision } from '#domain/event.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import type { Call, ProviderFacts, Transaction, TransactionState } from '#domain/transaction/state.ts';
import { transitionFrom } from '#domain/transaction/transitions.ts';
import type { Trigger } from '#domain/transaction/transitions.ts';

/** How a call turned out: from its answer, from a notification, or from asking the provider afterwards. */
export type Outcome = Partial<ProviderFacts> & { operationId?: string; connectionRefundId?: string } & (
    | { kind: 'succeeded' | 'pending' | 'voided' | 'unknown' }
    | { kind: 'approval_required'; approvalUrl: string; approvalExpiresAt: string }
    | { kind: 'declined' | 'failed'; errorCode: string }
  );

/**
 * Notes what became of a call. It may come late, twice and out of order: what was settled stays, and what leads
 * nowhere from here changes nothing.
 */
export function recordOutcome(
  state: TransactionState,
  callId: string,
  outcome: Outcome,
): Decision<TransactionEvent> {
  if (state.status === 'absent') return { refused: 'not_found' };
  const call = state.calls.find(({ id }) => id === callId);
  if (call === undefined) return { refused: 'not_found' };
  if (call.progress === 'settled') return [];
  return eventsOf(state, call, outcome.kind, outcome);
}

/** Gives up on a buyer who did not approve in time. Ask the provider first: the buyer may just have done so. */
export function expireApproval(
  state: TransactionState,
  isPast: (time: string) => boolean,
): Decision<TransactionEvent> {
  if (state.status !== 'buyer_approval_pending') return [];
  if (state.approvalExpiresAt === undefined || !isPast(state.approvalExpiresAt)) return [];
  const call = state.calls.find(({ operation, progress }) => isOpenAuthorization(operation, progress));
  if (call === undefined) return [];
  return eventsOf(state, call, 'approval_expired', {
    kind: 'failed',
    errorCode: 'incomplete_buyer_approval',
  });
}

const isOpenAuthorization = (operation: Call['operation'], progress: Call['progress']): boolean =>
  operation === 'authorization' && progress !== 'settled';

function eventsOf(
  state: Transaction,
  call: Call,
  trigger: Trigger,
  outcome: Outcome,
): Decided<TransactionEvent>[] {
  const transition = transitionFrom(state.status, call.operation, trigger, state.intent);
  if (transition?.event === undefined) return [];
  const isNews = trigger !== 'pending' || transition.to !== state.status || call.progress === 'requested';
  return isNews ? [eventOf(transition.event, state, call, outcome)] : [];
}

function eventOf(
  type: TransactionEvent['type'],
  state: Transaction,
  call: Call,
  outcome: Outcome,
): Decided<TransactionEvent> {
  const answer = { id: state.id, call_id: call.id, ...factsOf(outcome) };
  const refund = {
    id: state.id,
    call_id: call.id,
    refund_id: call.refundId ?? '',
    connection_refund_id: outcome.connectionRefundId,
  };
  const error_code = 'errorCode' in outcome ? outcome.errorCode : 'unknown_error';
  switch (type) {
    case 'transaction.authorization_pending':
    case 'transaction.capture_pending':
    case 'transaction.authorization_void_pending':
    case 'transaction.authorization_voided':
      return { type, data: answer };
    case 'transaction.buyer_approval_pending':
      if (outcome.kind !== 'approval_required') throw new Error('an approval without its page');
      return {
        type,
        data: {
          ...answer,
          approval_url: outcome.approvalUrl,
          approval_expires_at: outcome.approvalExpiresAt,
        },
      };
    case 'transaction.authorization_succeeded':
      return { type, data: { ...answer, authorized_amount: call.amount } };
    case 'transaction.capture_succeeded': {
      const authorized_amount = call.operation === 'authorization' ? call.amount : state.authorizedAmount;
      return { type, data: { ...answer, authorized_amount, captured_amount: call.amount } };
    }
    case 'transaction.authorization_declined':
    case 'transaction.authorization_failed':
    case 'transaction.capture_failed':
    case 'transaction.void_failed':
      return { type, data: { ...answer, error_code } };
    case 'transaction.refund_pending':
    case 'transaction.refund_voided':
      return { type, data: refund };
    case 'transaction.refund_succeeded':
      return { type, data: { ...refund, amount: call.amount } };
    case 'transaction.refund_declined':
    case 'transaction.refund_failed':
      return { type, data: { ...refund, error_code } };
    case 'transaction.created':
    case 'transaction.authorization_requested':
    case 'transaction.capture_requested':
    case 'transaction.void_requested':
    case 'transaction.refund_requested':
      throw new Error(`${type} is no outcome`);
    default:
      return unreachable(type);
  }
}

/** Undefined members are left out, so that an event says only what was said. */
function factsOf(outcome: Outcome) {
  const facts = {
    operation_id: outcome.operationId,
    connection_transaction_id: outcome.connectionTransactionId,
    scheme_transaction_id: outcome.schemeTransactionId,
    auth_response_code: outcome.authResponseCode,
    cvv_response_code: outcome.cvvResponseCode,
    three_d_secure: outcome.threeDSecure,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Partial<
    typeof facts
  >;
}
