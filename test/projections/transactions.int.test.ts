import { suite } from 'uvu';
import type { JsonObject } from '#ports/json.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { transactionsProjection } from '#projections/transactions.ts';
import type { Row } from '#projections/projection.ts';
import { recordedEvent, specification } from '#test/support/projection.ts';

const view = suite('view of transactions');

const id = (n: number): string => `8f6e2f0c-5d0a-4a5e-9d5c-1d1f3f6f300${n}`;
const at = new Date('2030-01-02T03:04:05.678Z');
const event = (type: string, data: JsonObject): RecordedEvent =>
  recordedEvent({ type: `transaction.${type}`, data: { id: id(1), call_id: id(2), ...data } });

const connection = {
  id: id(9),
  display_name: 'Sandbox',
  method: 'card',
  connection_formula_id: 'sandbox-card',
};
const given = {
  token_id: 'token',
  token_containers: ['/pci/'],
  connection,
  amount: 100,
  currency: 'USD',
  intent: 'capture',
  is_subsequent_payment: false,
  merchant_initiated: false,
  payment_source: 'ecommerce',
};
const created = recordedEvent({ type: 'transaction.created', data: { id: id(1), ...given } });
const requested = event('authorization_requested', { amount: 100 });
const approving = event('buyer_approval_pending', {
  approval_url: '/orchestration/approve/x',
  approval_payload_id: id(8),
  approval_expires_at: at.toISOString(),
});
const captured = event('capture_succeeded', {
  connection_transaction_id: 'tx',
  avs_response_code: 'match',
  raw_response_code: 'approved',
  card: { type: 'credit' },
  authorized_amount: 100,
  captured_amount: 100,
});
const failed = event('authorization_failed', { error_code: 'service_network_error' });
const revoked = event('capture_revoked', {
  error_code: 'refused_transaction',
  intent_outcome: 'failed',
  authorized_at: at.toISOString(),
});
const reversing = event('reversal_requested', { call_id: id(3), reverses: id(2), by: 'void', amount: 100 });
const reversed = event('reversal_succeeded', { call_id: id(3) });
const refund = { refund_id: id(4), call_id: id(5) };
const refunding = event('refund_requested', { ...refund, amount: 40 });
const refunded = event('refund_succeeded', { ...refund, amount: 40 });
const sentBack = event('refund_failed', { ...refund, error_code: 'service_error' });

const { tenant_id, actor } = created.metadata;
const row: Row = {
  ...{
    tenant_id,
    id: id(1),
    ...given,
    connection_id: id(9),
    intent_outcome: 'pending',
    status: 'processing',
  },
  ...{ authorized_amount: 0, captured_amount: 0 },
  ...{ created_by: actor.id, created_at: at, updated_at: at, ordinal: created.ordinal },
};
const open = (call: string): Row => ({ tenant_id, id: call, transaction_id: id(1), requested_at: at });
const taken: Row = {
  ...{ status: 'capture_succeeded', intent_outcome: 'succeeded', captured_at: at },
  ...{ authorized_amount: 100, captured_amount: 100, connection_transaction_id: 'tx' },
  ...{ avs_response_code: 'match', raw_response_code: 'approved', card: { type: 'credit' } },
};
const lost: Row = {
  status: 'authorization_failed',
  intent_outcome: 'failed',
  error_code: 'service_network_error',
};
const refundRow = (status: string): Row => ({
  ...{ tenant_id, id: id(4), transaction_id: id(1) },
  ...{ status, amount: 40 },
});

type Case = [string, RecordedEvent[], Row, { calls?: Row[]; refunds?: Row[] }];
const cases: Case[] = [
  ['a new one', [created, requested], {}, { calls: [open(id(2))] }],
  [
    'one that waits for its buyer',
    [created, requested, approving],
    {
      status: 'buyer_approval_pending',
      approval_url: '/orchestration/approve/x',
      approval_expires_at: at,
    },
    { calls: [open(id(2))] },
  ],
  ['one that was approved and captured', [created, requested, approving, captured], taken, {}],
  [
    'one whose capture was taken back',
    [created, requested, captured, revoked],
    {
      ...taken,
      ...{ status: 'authorization_succeeded', intent_outcome: 'failed', error_code: 'refused_transaction' },
      ...{ captured_amount: 0, captured_at: null, authorized_at: at },
    },
    {},
  ],
  ['one that is being given back', [created, requested, failed, reversing], lost, { calls: [open(id(3))] }],
  ['one that was given back', [created, requested, failed, reversing, reversed], lost, {}],
  [
    'one that is being refunded',
    [created, requested, captured, refunding],
    taken,
    { calls: [open(id(5))], refunds: [refundRow('processing')] },
  ],
  [
    'one that was refunded',
    [created, requested, captured, refunding, refunded],
    taken,
    { refunds: [refundRow('succeeded')] },
  ],
  [
    'one whose refund was sent back',
    [created, requested, captured, refunding, refunded, sentBack],
    taken,
    { refunds: [refundRow('failed')] },
  ],
];

for (const [title, events, change, { calls = [], refunds = [] }] of cases) {
  view(`given ${title}, when events are applied once or twice, then its rows say so`, () => {
    for (const numberOfTimes of [1, 2]) {
      specification(transactionsProjection)
        .given(events)
        .when({ numberOfTimes })
        .then({
          transactions: [{ ...row, ...change }],
          transaction_calls: calls,
          transaction_refunds: refunds,
        });
    }
  });
}

view.run();
