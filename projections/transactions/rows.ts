import { unreachable } from '#domain/event.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { authorOf } from '#projections/author.ts';
import type { Row, RowChange } from '#projections/projection.ts';

const table = 'transactions';

/** Nothing is waited for any more, and an earlier failure is past. */
const approved = { approval_url: null, approval_expires_at: null, error_code: null };

/** The change of a transaction's own row; as the fold of its stream, a fact stays when a later answer leaves it out. */
export function transactionChanges(event: RecordedEvent & TransactionEvent): RowChange[] {
  const key = { tenant_id: event.metadata.tenant_id, id: event.data.id };
  if (event.type === 'transaction.created') {
    return [{ op: 'upsert', table, row: { ...key, ...created(event) } }];
  }
  const set = { ...changed(event), updated_at: event.metadata.occurred_at };
  return [{ op: 'patch', table, key, set }];
}

function created({
  data,
  ...event
}: RecordedEvent & Extract<TransactionEvent, { type: 'transaction.created' }>): Row {
  return {
    status: 'processing',
    token_id: data.token_id,
    token_containers: data.token_containers ?? [],
    payload_id: data.payload_id ?? null,
    scheme: data.scheme ?? null,
    connection: data.connection,
    connection_id: data.connection.id,
    amount: data.amount,
    currency: data.currency,
    authorized_amount: 0,
    captured_amount: 0,
    country: data.country ?? null,
    external_identifier: data.external_identifier ?? null,
    metadata: data.metadata ?? null,
    intent: data.intent,
    intent_outcome: 'pending',
    is_subsequent_payment: data.is_subsequent_payment,
    merchant_initiated: data.merchant_initiated,
    payment_source: data.payment_source,
    previous_scheme_transaction_id: data.previous_scheme_transaction_id ?? null,
    three_d_session_id: data.three_d_session_id ?? null,
    three_d_secure: data.three_d_secure ?? null,
    connection_transaction_id: null,
    scheme_transaction_id: null,
    auth_response_code: null,
    cvv_response_code: null,
    avs_response_code: null,
    raw_response_code: null,
    raw_response_description: null,
    additional_identifiers: null,
    card: null,
    ...approved,
    authorized_at: null,
    captured_at: null,
    voided_at: null,
    created_by: authorOf(event),
    created_at: event.metadata.occurred_at,
    updated_at: event.metadata.occurred_at,
    ordinal: event.ordinal,
  };
}

type Later = RecordedEvent & Exclude<TransactionEvent, { type: 'transaction.created' }>;

function changed(event: Later): Row {
  const at = event.metadata.occurred_at;
  switch (event.type) {
    case 'transaction.authorization_pending':
      return facts(event);
    case 'transaction.buyer_approval_pending':
      return {
        ...facts(event),
        status: 'buyer_approval_pending',
        approval_url: event.data.approval_url,
        approval_expires_at: event.data.approval_expires_at,
      };
    case 'transaction.authorization_succeeded':
      return {
        ...facts(event),
        ...approved,
        status: 'authorization_succeeded',
        authorized_amount: event.data.authorized_amount,
        authorized_at: at,
        intent_outcome: 'succeeded',
      };
    case 'transaction.authorization_declined':
    case 'transaction.authorization_failed':
      return {
        ...facts(event),
        ...approved,
        status: event.type.slice('transaction.'.length),
        error_code: event.data.error_code,
        intent_outcome: 'failed',
      };
    case 'transaction.capture_pending':
      return { ...facts(event), ...approved, status: 'capture_pending' };
    case 'transaction.capture_succeeded':
      return {
        ...facts(event),
        ...approved,
        status: 'capture_succeeded',
        authorized_amount: event.data.authorized_amount,
        captured_amount: event.data.captured_amount,
        captured_at: at,
        intent_outcome: 'succeeded',
      };
    case 'transaction.authorization_void_pending':
      return { ...facts(event), status: 'authorization_void_pending' };
    case 'transaction.authorization_voided':
      return { ...facts(event), ...approved, status: 'authorization_voided', voided_at: at };
    case 'transaction.capture_failed':
    case 'transaction.void_failed':
      return { ...facts(event), status: 'authorization_succeeded', error_code: event.data.error_code };
    case 'transaction.capture_revoked':
      return {
        ...facts(event),
        status: 'authorization_succeeded',
        captured_amount: 0,
        authorized_at: event.data.authorized_at ?? null,
        captured_at: null,
        error_code: event.data.error_code,
        intent_outcome: event.data.intent_outcome,
      };
    case 'transaction.reversal_requested':
    case 'transaction.reversal_pending':
    case 'transaction.reversal_succeeded':
    case 'transaction.reversal_failed':
      return facts(event);
    case 'transaction.authorization_requested':
    case 'transaction.capture_requested':
    case 'transaction.void_requested':
    case 'transaction.refund_requested':
    case 'transaction.refund_pending':
    case 'transaction.refund_succeeded':
    case 'transaction.refund_declined':
    case 'transaction.refund_failed':
    case 'transaction.refund_voided':
      return {};
    default:
      return unreachable(event);
  }
}

const factColumns = [
  'connection_transaction_id',
  'scheme_transaction_id',
  'auth_response_code',
  'cvv_response_code',
  'avs_response_code',
  'raw_response_code',
  'raw_response_description',
  'additional_identifiers',
  'card',
  'three_d_secure',
];

const facts = ({ data }: { data: object }): Row =>
  Object.fromEntries(Object.entries(data).filter(([name]) => factColumns.includes(name)));
