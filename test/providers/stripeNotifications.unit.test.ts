import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readStripeNotification } from '#infra/providers/stripe/notification.ts';
import type { NotificationReading } from '#ports/paymentProvider.ts';

const test = suite('stripe notifications');
const secret = 'whsec_standin';
const connection = { tenantId: 'tenant', fields: { webhook_signing_secret: secret } };
const now = new Date('2026-06-15T12:00:00Z');

function deliver(event: object, signedAt = now, key = secret): NotificationReading {
  const body = Buffer.from(JSON.stringify(event));
  const timestamp = Math.floor(signedAt.getTime() / 1000);
  const signature = createHmac('sha256', key).update(`${timestamp}.${body.toString()}`).digest('hex');
  const headers = { 'stripe-signature': `t=${timestamp},v1=${'0'.repeat(64)},v1=${signature}` };
  return readStripeNotification({ connection, headers, body, now });
}

test('given notifications, when they are signed and recent, then they are read, and only then', () => {
  const object = {
    ...{ id: 'pi_1', amount: 1299, amount_received: 1000, status: 'succeeded', capture_method: 'manual' },
    metadata: { holdfast_key: 'key-1', reconciliation_id: 'rec-1' },
  };
  const event = { id: 'evt_1', type: 'payment_intent.succeeded', data: { object } };
  const reading = deliver(event);
  assert.is(reading.status, 'accepted');
  const [notice] = reading.status === 'accepted' ? reading.notices : [];
  assert.is(notice?.operation, 'capture');
  assert.is(notice?.outcome.status === 'succeeded' && notice.outcome.amount, 1000);
  assert.is(notice?.reconciliationId, 'rec-1');
  assert.is(notice?.idempotencyKey, undefined);
  const other = deliver({ id: 'evt_2', type: 'customer.created', data: { object: {} } });
  assert.equal(other.status === 'accepted' && other.notices, []);

  const refused = { status: 'refused', reason: 'signature' };
  assert.equal(deliver(event, now, 'whsec_other'), refused);
  for (const age of [-301_000, 301_000]) {
    assert.equal(deliver(event, new Date(now.getTime() - age)), { status: 'refused', reason: 'too_old' });
  }
  const body = Buffer.from(JSON.stringify(event));
  for (const header of ['', 't=1', 'v1=ab', 't=,v1=', 't=1,v1=zz']) {
    const headers = { 'stripe-signature': header };
    assert.equal(readStripeNotification({ connection, headers, body, now }), refused);
  }
});

test('given events of every kind, when they are read, then each says what became of which step', () => {
  const told = (type: string, object: object) => {
    const reading = deliver({ id: 'evt_1', type, data: { object } });
    const [notice] = reading.status === 'accepted' ? reading.notices : [];
    return notice === undefined
      ? undefined
      : `${notice.operation} ${notice.transactionId} ${notice.outcome.status}`;
  };
  const intent = { id: 'pi_1', amount: 1299, amount_received: 1299 };
  const authorized = { ...intent, status: 'requires_capture' };
  const failed = {
    ...intent,
    status: 'requires_payment_method',
    last_payment_error: { code: 'card_declined' },
  };
  const canceled = { ...intent, status: 'canceled', canceled_at: 1_780_000_000 };
  const refund = {
    id: 're_1',
    payment_intent: 'pi_1',
    amount: 5,
    status: 'failed',
    failure_reason: 'declined',
  };
  assert.is(told('payment_intent.amount_capturable_updated', authorized), 'authorize pi_1 succeeded');
  assert.is(told('payment_intent.payment_failed', failed), 'authorize pi_1 declined');
  const captured = { ...intent, status: 'succeeded' };
  assert.is(
    told('payment_intent.succeeded', { ...captured, capture_method: 'automatic' }),
    'authorize pi_1 succeeded',
  );
  assert.is(told('payment_intent.canceled', canceled), 'void pi_1 succeeded');
  assert.is(told('payment_intent.canceled', { ...canceled, cancellation_reason: 'automatic' }), undefined);
  assert.is(told('refund.failed', refund), 'refund pi_1 declined');
  assert.is(told('refund.updated', { ...refund, status: 'pending' }), 'refund pi_1 pending');
  assert.is(told('refund.updated', {}), undefined);
});

test.run();
