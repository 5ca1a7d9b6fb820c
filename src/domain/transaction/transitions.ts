import type { TransactionEvent } from '#domain/transaction/events.ts';
import { laterSteps, transactionStatuses } from '#domain/transaction/vocabulary.ts';
import type { Intent, Operation, OutcomeKind, TransactionStatus } from '#domain/transaction/vocabulary.ts';

/** What may happen to an operation: it is asked for, turns out one way, or time runs out. */
export type Trigger =
  | 'requested'
  | OutcomeKind
  | 'approval_expired'
  | 'lapsed'
  /** What had been counted as failed had happened after all. */
  | 'succeeded_late'
  /** The provider takes back a success that it had told of. */
  | 'taken_back';

export type Transition = {
  /** In the reference's table of states; from 27 on they are ours. */
  row: number;
  from: TransactionStatus | 'new';
  operation: Operation;
  on: Trigger;
  /** Absent: whatever the intent is. */
  intent?: Intent;
  to: TransactionStatus;
  /** Absent: there is nothing to write down. */
  event?: TransactionEvent['type'];
};

type Event = TransactionEvent['type'];
type Start = TransactionStatus | 'new';

const move = (
  row: number,
  from: Start,
  [operation, on]: readonly [Operation, Trigger],
  to: TransactionStatus,
  event?: Event,
  intent?: Intent,
): Transition => ({
  row,
  from,
  operation,
  on,
  to,
  ...(event === undefined ? {} : { event }),
  ...(intent === undefined ? {} : { intent }),
});

const authorization = (on: Trigger) => ['authorization', on] as const;
const capture = (on: Trigger) => ['capture', on] as const;
const voiding = (on: Trigger) => ['void', on] as const;
const refund = (on: Trigger) => ['refund', on] as const;
const reversal = (on: Trigger) => ['reversal', on] as const;

const authorized = 'authorization_succeeded';
const declined = 'authorization_declined';
const failed = 'authorization_failed';
const approving = 'buyer_approval_pending';
const capturing = 'capture_pending';
const captured = 'capture_succeeded';
const voidPending = 'authorization_void_pending';
const voided = 'authorization_voided';

/**
 * The machine. An operation is in flight from its request until it has turned out; under intent capture the call of
 * the authorization captures, too. Source: reference of transactions, table of states. A row that the table leaves
 * open for `buyer_approval_pending` (6, 8) is completed here.
 */
export const transitions: readonly Transition[] = [
  move(1, 'new', authorization('requested'), 'processing', 'transaction.authorization_requested'),
  move(2, 'processing', authorization('succeeded'), authorized, `transaction.${authorized}`, 'authorize'),
  move(3, 'processing', authorization('succeeded'), captured, `transaction.${captured}`, 'capture'),
  move(4, 'processing', authorization('pending'), capturing, `transaction.${capturing}`, 'capture'),
  move(5, 'processing', authorization('declined'), declined, `transaction.${declined}`),
  move(6, 'processing', authorization('failed'), failed, `transaction.${failed}`),
  move(6, approving, authorization('failed'), failed, `transaction.${failed}`),
  move(7, 'processing', authorization('approval_required'), approving, `transaction.${approving}`),
  move(
    8,
    'processing',
    authorization('pending'),
    'processing',
    'transaction.authorization_pending',
    'authorize',
  ),
  move(8, 'processing', authorization('unknown'), 'processing'),
  move(8, approving, authorization('pending'), approving, undefined, 'authorize'),
  move(9, approving, authorization('succeeded'), authorized, `transaction.${authorized}`, 'authorize'),
  move(10, approving, authorization('succeeded'), captured, `transaction.${captured}`, 'capture'),
  move(10, approving, authorization('pending'), capturing, `transaction.${capturing}`, 'capture'),
  move(11, approving, authorization('declined'), declined, `transaction.${declined}`),
  move(12, approving, authorization('approval_expired'), failed, `transaction.${failed}`),

  move(13, authorized, capture('requested'), authorized, 'transaction.capture_requested'),
  move(13, authorized, capture('succeeded'), captured, `transaction.${captured}`),
  move(14, authorized, capture('pending'), capturing, `transaction.${capturing}`),
  move(15, authorized, capture('declined'), authorized, 'transaction.capture_failed'),
  move(15, authorized, capture('failed'), authorized, 'transaction.capture_failed'),
  move(16, capturing, capture('succeeded'), captured, `transaction.${captured}`),
  move(16, capturing, authorization('succeeded'), captured, `transaction.${captured}`, 'capture'),
  move(17, capturing, capture('declined'), authorized, 'transaction.capture_failed'),
  move(17, capturing, capture('failed'), authorized, 'transaction.capture_failed'),
  move(18, capturing, authorization('declined'), declined, `transaction.${declined}`, 'capture'),
  move(18, capturing, authorization('failed'), failed, `transaction.${failed}`, 'capture'),

  move(19, authorized, voiding('requested'), authorized, 'transaction.void_requested'),
  move(19, authorized, voiding('succeeded'), voided, `transaction.${voided}`),
  move(20, authorized, voiding('pending'), voidPending, `transaction.${voidPending}`),
  move(21, voidPending, voiding('succeeded'), voided, `transaction.${voided}`),
  move(22, voidPending, voiding('declined'), authorized, 'transaction.void_failed'),
  move(22, voidPending, voiding('failed'), authorized, 'transaction.void_failed'),
  move(23, authorized, voiding('declined'), authorized, 'transaction.void_failed'),
  move(23, authorized, voiding('failed'), authorized, 'transaction.void_failed'),

  move(24, captured, refund('requested'), captured, 'transaction.refund_requested'),
  move(24, captured, refund('pending'), captured, 'transaction.refund_pending'),
  move(24, captured, refund('succeeded'), captured, 'transaction.refund_succeeded'),
  move(24, captured, refund('declined'), captured, 'transaction.refund_declined'),
  move(24, captured, refund('failed'), captured, 'transaction.refund_failed'),
  move(24, captured, refund('voided'), captured, 'transaction.refund_voided'),

  // The provider alone knows that an authorization has lapsed: a later capture is refused as expired_authorization.
  move(26, authorized, authorization('lapsed'), authorized),

  // Nobody is charged for what was reported as failed: it is given back.
  ...([declined, failed] as const).map((from) =>
    move(27, from, authorization('succeeded_late'), from, 'transaction.reversal_requested'),
  ),
  ...([voided, captured] as const).map((from) =>
    move(27, from, capture('succeeded_late'), from, 'transaction.reversal_requested'),
  ),
  // A step that can still be counted is.
  move(28, authorized, capture('succeeded_late'), captured, `transaction.${captured}`),
  move(28, authorized, voiding('succeeded_late'), voided, `transaction.${voided}`),
  move(28, captured, refund('succeeded_late'), captured, 'transaction.refund_succeeded'),

  move(29, captured, capture('taken_back'), authorized, 'transaction.capture_revoked', 'authorize'),
  move(29, captured, authorization('taken_back'), authorized, 'transaction.capture_revoked', 'capture'),
  move(29, captured, refund('taken_back'), captured, 'transaction.refund_failed'),

  ...([declined, failed, voided, captured, authorized] as const).flatMap((at) => [
    move(30, at, reversal('pending'), at, 'transaction.reversal_pending'),
    move(30, at, reversal('succeeded'), at, 'transaction.reversal_succeeded'),
    move(30, at, reversal('succeeded_late'), at, 'transaction.reversal_succeeded'),
    move(30, at, reversal('declined'), at, 'transaction.reversal_failed'),
    move(30, at, reversal('failed'), at, 'transaction.reversal_failed'),
    move(30, at, reversal('taken_back'), at, 'transaction.reversal_failed'),
  ]),
];

/** The transition that a trigger leads to; undefined: it changes nothing, or may not be asked for (row 25). */
export function transitionFrom(
  from: Start,
  operation: Operation,
  on: Trigger,
  intent: Intent,
): Transition | undefined {
  return transitions.find(
    (each) =>
      each.from === from &&
      each.operation === operation &&
      each.on === on &&
      (each.intent === undefined || each.intent === intent),
  );
}

/** Row 25: what may not be asked for in which status. */
export const refusedRequests: readonly { status: TransactionStatus; operation: Operation }[] =
  transactionStatuses.flatMap((status) =>
    laterSteps
      .filter((operation) => transitionFrom(status, operation, 'requested', 'authorize') === undefined)
      .map((operation) => ({ status, operation })),
  );

/** A status that nothing leads out of. */
export const isFinal = (status: TransactionStatus): boolean =>
  !transitions.some(({ from, to }) => from === status && to !== status);
