import type { Decided, Decision } from '#domain/event.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import { eventOf } from '#domain/transaction/eventOf.ts';
import { recordLateNews } from '#domain/transaction/lateNews.ts';
import { isSettled } from '#domain/transaction/state.ts';
import type { Outcome } from '#domain/transaction/outcome.ts';
import type { Call, Transaction, TransactionState } from '#domain/transaction/state.ts';
import { transitionFrom } from '#domain/transaction/transitions.ts';
import type { Trigger } from '#domain/transaction/transitions.ts';

/**
 * Notes what became of a call. It may come late, twice and out of order: what was settled stays unless money says
 * otherwise, and what leads nowhere from here changes nothing.
 * @param reversalId of the call that gives back what had been counted as failed, should it have happened
 */
export function recordOutcome(
  state: TransactionState,
  callId: string,
  outcome: Outcome,
  reversalId: string,
): Decision<TransactionEvent> {
  if (state.status === 'absent') return { refused: 'not_found' };
  const call = state.calls.find(({ id }) => id === callId);
  if (call === undefined) return { refused: 'not_found' };
  if (isSettled(call)) return recordLateNews(state, call, outcome, reversalId);
  return eventsOf(state, call, outcome.kind, outcome);
}

/** Gives up on a buyer who did not approve in time. Ask the provider first: the buyer may just have done so. */
export function expireApproval(
  state: TransactionState,
  isPast: (time: string) => boolean,
): Decision<TransactionEvent> {
  if (state.status !== 'buyer_approval_pending') return [];
  if (state.approvalExpiresAt === undefined || !isPast(state.approvalExpiresAt)) return [];
  const call = state.calls.find((each) => each.operation === 'authorization' && !isSettled(each));
  if (call === undefined) return [];
  return eventsOf(state, call, 'approval_expired', {
    kind: 'failed',
    errorCode: 'incomplete_buyer_approval',
  });
}

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
