import fc from 'fast-check';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';
import { createTransaction, requestCapture, requestRefund, requestVoid } from '#domain/transaction/decide.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import { expireApproval } from '#domain/transaction/record.ts';
import { initialTransaction } from '#domain/transaction/state.ts';
import type { TransactionState } from '#domain/transaction/state.ts';
import { intents, outcomeKinds } from '#domain/transaction/vocabulary.ts';
import type { OutcomeKind } from '#domain/transaction/vocabulary.ts';
import {
  everything,
  heard,
  newTransaction,
  outcome,
  recorded,
} from '#test/domain/transaction/support/given.ts';

export type Step =
  | { do: 'capture' | 'refund'; call: string; amount: number | undefined }
  | { do: 'void'; call: string }
  | { do: 'hear'; call: string; kind: OutcomeKind; takesBack?: boolean }
  | { do: 'expire' };

// Few call ids, so that requests are repeated and answers come late, twice, and for calls of another time.
const call = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const amount = fc.option(
  fc.oneof(fc.integer({ min: -2, max: 110 }), fc.constantFrom(100, 50, NaN, 1e300, 99_999_999)),
  { nil: undefined },
);
const hear: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('hear'),
  call: fc.oneof(
    { weight: 8, arbitrary: call },
    { weight: 1, arbitrary: call.map((id) => `reversal of ${id}`) },
  ),
  kind: fc.constantFrom(...outcomeKinds),
  takesBack: fc.boolean(),
});
const move: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('capture' as const, 'refund' as const),
  call,
  amount,
});
const giveUp: fc.Arbitrary<Step> = fc.record({ do: fc.constant('void' as const), call });
const step = fc.oneof(
  { weight: 6, arbitrary: hear },
  { weight: 4, arbitrary: move },
  { weight: 2, arbitrary: giveUp },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'expire' }) },
);
export const story = fc.record({
  intent: fc.constantFrom(...intents),
  amount: fc.oneof({ weight: 8, arbitrary: fc.constant(100) }, { weight: 1, arbitrary: fc.constant(1) }),
  // Most stories go beyond the authorization.
  steps: fc
    .tuple(
      fc.option(fc.constantFrom<OutcomeKind>('succeeded', 'pending', 'approval_required'), {
        nil: undefined,
      }),
      fc.array(step, { maxLength: 30 }),
    )
    .map(([kind, steps]): Step[] =>
      kind === undefined ? steps : [{ do: 'hear', call: 'a', kind }, ...steps],
    ),
});
export type Story = { intent: 'authorize' | 'capture'; amount: number; steps: Step[] };

export function decide(state: TransactionState, step: Step): Decision<TransactionEvent> {
  switch (step.do) {
    case 'capture':
      return requestCapture(state, { callId: step.call, amount: step.amount }, everything);
    case 'refund':
      return requestRefund(
        state,
        { callId: step.call, refundId: `r${step.call}`, amount: step.amount },
        everything,
      );
    case 'void':
      return requestVoid(state, { callId: step.call }, everything);
    case 'hear':
      return heard(state, step.call, {
        ...outcome(step.kind),
        ...(step.takesBack === true ? { takesBack: true } : {}),
      });
    case 'expire':
      return expireApproval(state, () => true);
  }
}

export type Seen = {
  before: TransactionState;
  step: Step;
  events: TransactionEvent[];
  after: TransactionState;
};

/** Statuses that stories have come to. */
export const reached = new Set<string>();

/** Plays a story; `at` sees every step. */
export function play({ intent, amount: wanted, steps }: Story, at: (seen: Seen) => void = () => undefined) {
  const log = recorded(
    createTransaction(initialTransaction, { ...newTransaction, intent, amount: wanted }, 'a'),
  );
  let state = log.reduce(transactionFold.evolve, transactionFold.initial);
  for (const each of steps) {
    const decision = decide(state, each);
    const events = isRefusal(decision) ? [] : recorded(decision);
    const next = events.reduce(transactionFold.evolve, state);
    reached.add(next.status);
    at({ before: state, step: each, events, after: next });
    log.push(...events);
    state = next;
  }
  return { log, state };
}
