import type { TransactionEvent } from '#domain/transaction/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Projection } from '#projections/projection.ts';
import { callChanges } from '#projections/transactions/calls.ts';
import { refundChanges } from '#projections/transactions/refunds.ts';
import { transactionChanges } from '#projections/transactions/rows.ts';
import { callsTable, refundsTable, transactionsTable } from '#projections/transactions/tables.ts';

const handles: readonly TransactionEvent['type'][] = [
  'transaction.created',
  'transaction.authorization_requested',
  'transaction.authorization_pending',
  'transaction.buyer_approval_pending',
  'transaction.authorization_succeeded',
  'transaction.authorization_declined',
  'transaction.authorization_failed',
  'transaction.capture_requested',
  'transaction.capture_pending',
  'transaction.capture_succeeded',
  'transaction.capture_failed',
  'transaction.void_requested',
  'transaction.authorization_void_pending',
  'transaction.authorization_voided',
  'transaction.void_failed',
  'transaction.capture_revoked',
  'transaction.reversal_requested',
  'transaction.reversal_pending',
  'transaction.reversal_succeeded',
  'transaction.reversal_failed',
  'transaction.refund_requested',
  'transaction.refund_pending',
  'transaction.refund_succeeded',
  'transaction.refund_declined',
  'transaction.refund_failed',
  'transaction.refund_voided',
];

/** Transactions as lists want them, their refunds, and the calls of providers that are still open. */
export const transactionsProjection: Projection = {
  name: 'transactions',
  version: 2,
  tables: [transactionsTable, refundsTable, callsTable],
  handles,
  apply: (recorded) => {
    const event = recorded as unknown as RecordedEvent & TransactionEvent;
    return [...transactionChanges(event), ...refundChanges(event), ...callChanges(event)];
  },
};
