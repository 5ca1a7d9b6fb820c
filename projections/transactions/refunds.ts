import type { TransactionEvent } from '#domain/transaction/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { RowChange } from '#projections/projection.ts';

const table = 'transaction_refunds';

/** Where refunds are, and what they sum up to; the rest is told by the stream of their transaction. */
export function refundChanges(event: RecordedEvent & TransactionEvent): RowChange[] {
  const tenant_id = event.metadata.tenant_id;
  const ended = (id: string, status: string): RowChange[] => [
    { op: 'patch', table, key: { tenant_id, id }, set: { status } },
  ];
  switch (event.type) {
    case 'transaction.refund_requested': {
      const { refund_id: id, id: transaction_id, amount } = event.data;
      return [{ op: 'upsert', table, row: { tenant_id, id, transaction_id, status: 'processing', amount } }];
    }
    case 'transaction.refund_succeeded':
      return ended(event.data.refund_id, 'succeeded');
    case 'transaction.refund_declined':
      return ended(event.data.refund_id, 'declined');
    case 'transaction.refund_failed':
      return ended(event.data.refund_id, 'failed');
    case 'transaction.refund_voided':
      return ended(event.data.refund_id, 'voided');
    default:
      return [];
  }
}
