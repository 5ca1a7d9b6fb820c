import { unreachable } from '#domain/event.ts';
import type { Decided } from '#domain/event.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import type { Outcome } from '#domain/transaction/outcome.ts';
import type { Call, Transaction } from '#domain/transaction/state.ts';

/** What is written down of an outcome. */
export function eventOf(
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
    case 'transaction.reversal_pending':
    case 'transaction.reversal_succeeded':
      return { type, data: answer };
    case 'transaction.buyer_approval_pending':
      if (outcome.kind !== 'approval_required') throw new Error('an approval without its page');
      return {
        type,
        data: {
          ...answer,
          approval_url: outcome.approvalUrl,
          approval_payload_id: outcome.approvalPayloadId,
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
    case 'transaction.reversal_failed':
      return { type, data: { ...answer, error_code } };
    case 'transaction.capture_revoked': {
      // Of one that was only authorized the intent was reached, whatever becomes of the capture.
      const intent_outcome = state.intent === 'capture' ? 'failed' : 'succeeded';
      return { type, data: { ...answer, error_code, intent_outcome, authorized_at: state.authorizedAt } };
    }
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
    case 'transaction.reversal_requested':
      throw new Error(`${type} is no outcome`);
    default:
      return unreachable(type);
  }
}

/** Undefined members are left out, so that an event says only what was said. */
export function factsOf(outcome: Outcome) {
  const facts = {
    operation_id: outcome.operationId,
    connection_transaction_id: outcome.connectionTransactionId,
    scheme_transaction_id: outcome.schemeTransactionId,
    auth_response_code: outcome.authResponseCode,
    cvv_response_code: outcome.cvvResponseCode,
    avs_response_code: outcome.avsResponseCode,
    raw_response_code: outcome.rawResponseCode,
    raw_response_description: outcome.rawResponseDescription,
    additional_identifiers: outcome.additionalIdentifiers,
    card: outcome.card,
    three_d_secure: outcome.threeDSecure,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Partial<
    typeof facts
  >;
}
