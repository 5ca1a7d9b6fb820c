import type { Static } from 'typebox';
import type { Features } from '#domain/connection/features.ts';
import type { Decision, Refusal } from '#domain/event.ts';
import type { TransactionCreated, TransactionEvent } from '#domain/transaction/events.ts';
import { amountBeingRefunded, openCalls } from '#domain/transaction/state.ts';
import type { Transaction, TransactionState } from '#domain/transaction/state.ts';
import { transitionFrom } from '#domain/transaction/transitions.ts';
import { maximumAmount } from '#domain/transaction/vocabulary.ts';
import type { Operation } from '#domain/transaction/vocabulary.ts';

export type NewTransaction = Static<typeof TransactionCreated>;

/** Creates a transaction and, in the same breath, says that the provider is about to be asked to authorize it. */
export function createTransaction(
  state: TransactionState,
  transaction: NewTransaction,
  callId: string,
): Decision<TransactionEvent> {
  if (state.status !== 'absent') {
    return { refused: 'already_exists', detail: 'The transaction exists already.' };
  }
  const { id, amount } = transaction;
  if (!isAmount(amount) || (amount === 0 && transaction.intent === 'capture')) return wrongAmount('amount');
  return [
    { type: 'transaction.created', data: transaction },
    { type: 'transaction.authorization_requested', data: { id, call_id: callId, amount } },
  ];
}

/** Asks for a capture; without an amount, of all that was authorized. One that was asked for already stays so. */
export function requestCapture(
  state: TransactionState,
  { callId, amount: wanted }: { callId: string; amount?: number | undefined },
  features: Features,
): Decision<TransactionEvent> {
  if (state.status === 'absent') return { refused: 'not_found' };
  if (isKnown(state, callId)) return [];
  const obstacle = obstacleTo(state, 'capture');
  if (obstacle !== undefined) return obstacle;
  if (state.authorizedAmount === 0) return conflict('An authorization of 0 has nothing to capture.');
  if (!features.delayed_capture) return unsupported('capturing later');
  const amount = wanted ?? state.authorizedAmount;
  if (!isPositive(amount)) return wrongAmount('amount');
  if (amount > state.authorizedAmount) {
    return invalid('amount', `must be at most ${state.authorizedAmount}, the authorized amount`);
  }
  if (amount < state.authorizedAmount && !features.partial_capture) {
    return unsupported('capturing a part of the amount');
  }
  return [{ type: 'transaction.capture_requested', data: { id: state.id, call_id: callId, amount } }];
}

/** Asks for the authorization to be given up. */
export function requestVoid(
  state: TransactionState,
  { callId }: { callId: string },
  features: Features,
): Decision<TransactionEvent> {
  if (state.status === 'absent') return { refused: 'not_found' };
  if (isKnown(state, callId)) return [];
  const obstacle = obstacleTo(state, 'void');
  if (obstacle !== undefined) return obstacle;
  if (!features.void) return unsupported('voiding');
  return [{ type: 'transaction.void_requested', data: { id: state.id, call_id: callId } }];
}

export type RefundRequest = {
  callId: string;
  refundId: string;
  /** Absent: everything that is left. */
  amount?: number | undefined;
  reason?: string | undefined;
};

/** Asks for a refund. Refunds may overlap, as providers take days: what is under way is set aside. */
export function requestRefund(
  state: TransactionState,
  { callId, refundId, amount: wanted, reason }: RefundRequest,
  features: Features,
): Decision<TransactionEvent> {
  if (state.status === 'absent') return { refused: 'not_found' };
  if (isKnown(state, callId)) return [];
  if (transitionFrom(state.status, 'refund', 'requested', state.intent) === undefined) {
    return wrongStatus(state, 'refund');
  }
  if (!features.refunds) return unsupported('refunds');
  const left = state.capturedAmount - state.refundedAmount;
  if (left === 0) return conflict('The transaction has been refunded in full.');
  const free = left - amountBeingRefunded(state);
  if (wanted !== undefined && !isPositive(wanted)) return wrongAmount('amount');
  if (wanted !== undefined && wanted > left) {
    return invalid('amount', `must be at most ${left}, what is left`);
  }
  if (free === 0 || (wanted ?? 0) > free) {
    return conflict(`Refunds of ${left - free} are being processed: ${free} can be refunded besides.`);
  }
  const amount = wanted ?? free;
  if (amount < state.capturedAmount && !features.partial_refunds) {
    return unsupported('refunding a part of the amount');
  }
  return [
    {
      type: 'transaction.refund_requested',
      data: { id: state.id, call_id: callId, refund_id: refundId, amount, reason },
    },
  ];
}

/** The same request came again, under the ids that its first run derived. */
const isKnown = ({ calls }: Transaction, callId: string): boolean => calls.some(({ id }) => id === callId);

/** One call at a time: what the second would be about depends on how the first turns out. */
function obstacleTo(state: Transaction, operation: Operation): Refusal | undefined {
  if (transitionFrom(state.status, operation, 'requested', state.intent) === undefined) {
    return wrongStatus(state, operation);
  }
  const [open] = openCalls(state);
  return open === undefined
    ? undefined
    : conflict(`The ${open.operation} of this transaction is being processed.`);
}

const isAmount = (amount: number): boolean =>
  Number.isSafeInteger(amount) && amount >= 0 && amount <= maximumAmount;

const isPositive = (amount: number): boolean => isAmount(amount) && amount > 0;

const conflict = (detail: string): Refusal => ({ refused: 'conflict', detail });

const wrongStatus = ({ status }: Transaction, operation: Operation): Refusal =>
  conflict(`A ${operation} is not possible while the transaction's status is '${status}'.`);

const invalid = (path: string, message: string): Refusal => ({
  refused: 'invalid',
  faults: { [path]: [message] },
});

const wrongAmount = (path: string): Refusal => invalid(path, `must be an integer from 1 to ${maximumAmount}`);

const unsupported = (what: string): Refusal =>
  invalid('connection_id', `names a connection that does not support ${what}`);
