import type { TransactionEvent } from '#domain/transaction/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { RowChange } from '#projections/projection.ts';

const table = 'transaction_calls';

/** Opens a call where it is asked for, and closes it where it is settled. */
export function callChanges(event: RecordedEvent & TransactionEvent): RowChange[] {
  if (event.type === 'transaction.created') return [];
  const key = { tenant_id: event.metadata.tenant_id, id: event.data.call_id };
  switch (event.type) {
    case 'transaction.authorization_requested':
    case 'transaction.capture_requested':
    case 'transaction.void_requested':
    case 'transaction.refund_requested':
    case 'transaction.reversal_requested': {
      const row = { ...key, transaction_id: event.data.id, requested_at: event.metadata.occurred_at };
      return [{ op: 'upsert', table, row }];
    }
    case 'transaction.authorization_pending':
    case 'transaction.buyer_approval_pending':
    case 'transaction.capture_pending':
    case 'transaction.authorization_void_pending':
    case 'transaction.refund_pending':
    case 'transaction.reversal_pending':
      return [];
    default:
      return [{ op: 'remove', table, key }];
  }
}
