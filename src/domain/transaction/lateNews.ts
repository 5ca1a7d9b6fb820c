import type { Decided, Decision, Refusal } from '#domain/event.ts';
import { eventOf, factsOf } from '#domain/transaction/eventOf.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import type { Outcome } from '#domain/transaction/outcome.ts';
import { amountBeingRefunded, openCalls } from '#domain/transaction/state.ts';
import type { Call, Transaction } from '#domain/transaction/state.ts';
import { transitionFrom } from '#domain/transaction/transitions.ts';

/**
 * What a provider says of a call that was settled otherwise. What happened after it had been counted as failed is
 * counted where that is possible, and given back where it is not; what the provider takes back is no longer counted.
 * A conflict asks it to say so again: another call has to end first.
 */
export function recordLateNews(
  state: Transaction,
  call: Call,
  outcome: Outcome,
  reversalId: string,
): Decision<TransactionEvent> {
  const trigger = triggerOf(call, outcome);
  const transition = trigger && transitionFrom(state.status, call.operation, trigger, state.intent);
  if (transition?.event === undefined) return [];
  if (transition.event === 'transaction.reversal_requested') {
    return call.amount === 0 ? [] : [reversalOf(state, call, outcome, reversalId)];
  }
  const isCapture = transition.event === 'transaction.capture_revoked';
  // What was refunded had been captured, whatever the provider says.
  if (isCapture && state.refundedAmount > 0) return [];
  const isRefund = call.operation === 'refund';
  if (isRefund && trigger === 'succeeded_late' && call.amount > state.capturedAmount - state.refundedAmount) {
    return [];
  }
  const obstacle = isRefund ? refundInTheWay(state, call, trigger) : callInTheWay(state, call);
  return obstacle ?? [eventOf(transition.event, state, call, outcome)];
}

function triggerOf({ progress }: Call, outcome: Outcome): 'succeeded_late' | 'taken_back' | undefined {
  if (outcome.kind === 'succeeded') return progress === 'refused' ? 'succeeded_late' : undefined;
  const isRefused = outcome.kind === 'declined' || outcome.kind === 'failed';
  return isRefused && outcome.takesBack === true && progress === 'done' ? 'taken_back' : undefined;
}

function reversalOf(
  state: Transaction,
  call: Call,
  outcome: Outcome,
  reversalId: string,
): Decided<TransactionEvent> {
  const isTaken = 'captured' in outcome ? outcome.captured : undefined;
  const captures = call.operation === 'capture' || (isTaken ?? state.intent === 'capture');
  return {
    type: 'transaction.reversal_requested',
    data: {
      ...factsOf(outcome),
      id: state.id,
      call_id: reversalId,
      reverses: call.id,
      by: captures ? 'refund' : 'void',
      amount: call.amount,
    },
  };
}

function callInTheWay(state: Transaction, { operation }: Call): Refusal | undefined {
  if (operation === 'reversal') return undefined;
  const [open] = openCalls(state);
  return open && conflict(`The ${open.operation} of this transaction has to end first.`);
}

/** Together refunds never return more than was captured. */
function refundInTheWay(
  state: Transaction,
  { amount }: Call,
  trigger: string | undefined,
): Refusal | undefined {
  const free = state.capturedAmount - state.refundedAmount - amountBeingRefunded(state);
  return trigger === 'succeeded_late' && amount > free
    ? conflict('Another refund has to end first.')
    : undefined;
}

const conflict = (detail: string): Refusal => ({ refused: 'conflict', detail });
