import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';
import type { Features } from '#domain/connection/features.ts';
import { createTransaction, requestCapture, requestRefund, requestVoid } from '#domain/transaction/decide.ts';
import type { NewTransaction } from '#domain/transaction/decide.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import { recordOutcome } from '#domain/transaction/record.ts';
import type { Outcome } from '#domain/transaction/outcome.ts';
import type { Transaction, TransactionState } from '#domain/transaction/state.ts';
import type { OutcomeKind } from '#domain/transaction/vocabulary.ts';

export const metadata = {
  tenant_id: 'a1b2',
  actor: { type: 'application', id: 'c3d4' },
  occurred_at: '2026-01-02T03:04:05.000Z',
} as const;

export const everything: Features = {
  three_d_secure_pass_through: true,
  three_d_secure_hosted: true,
  delayed_capture: true,
  partial_capture: true,
  partial_refunds: true,
  refunds: true,
  zero_auth: true,
  void: true,
};

export const newTransaction: NewTransaction = {
  id: 't1',
  token_id: 'token1',
  connection: {
    id: 'c1',
    display_name: 'Sandbox',
    method: 'card',
    connection_formula_id: 'sandbox-card',
  },
  amount: 1299,
  currency: 'USD',
  intent: 'authorize',
  is_subsequent_payment: false,
  merchant_initiated: false,
  payment_source: 'ecommerce',
};

export function recorded(decision: Decision<TransactionEvent>): TransactionEvent[] {
  if (isRefusal(decision)) throw new Error(`refused: ${JSON.stringify(decision)}`);
  return decision.map((event) => ({ ...event, metadata }) as TransactionEvent);
}

export const after = (state: TransactionState, decision: Decision<TransactionEvent>): TransactionState =>
  recorded(decision).reduce(transactionFold.evolve, state);

export const typesOf = (decision: Decision<TransactionEvent>): string[] =>
  recorded(decision).map(({ type }) => type);

export const outcome = (kind: OutcomeKind): Outcome => {
  switch (kind) {
    case 'declined':
      return { kind, errorCode: 'issuer_decline' };
    case 'failed':
      return { kind, errorCode: 'service_error' };
    case 'approval_required':
      return {
        kind,
        approvalUrl: 'https://approve.example/t1',
        approvalExpiresAt: '2026-01-02T04:04:05.000Z',
      };
    default:
      return { kind };
  }
};

/** What is written down when a provider says so of a call. */
export const heard = (state: TransactionState, callId: string, said: Outcome): Decision<TransactionEvent> =>
  recordOutcome(state, callId, said, `reversal of ${callId}`);

/** Leads a transaction through steps such as `capture` (asks for it, as call `capture`) and `capture succeeded`. */
export function given(intent: NewTransaction['intent'], ...steps: string[]): Transaction {
  let state = after(
    transactionFold.initial,
    createTransaction(transactionFold.initial, { ...newTransaction, intent }, 'authorization'),
  );
  for (const step of steps) state = after(state, when(state, step));
  if (state.status === 'absent') throw new Error('nothing was created');
  return state;
}

export function when(state: TransactionState, step: string): Decision<TransactionEvent> {
  const [callId = '', kind] = step.split(' ');
  if (kind !== undefined) return heard(state, callId, outcome(kind as OutcomeKind));
  if (callId === 'capture') return requestCapture(state, { callId }, everything);
  if (callId === 'void') return requestVoid(state, { callId }, everything);
  return requestRefund(state, { callId, refundId: `refund of ${callId}` }, everything);
}
