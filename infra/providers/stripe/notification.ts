import { createHmac } from 'node:crypto';
import { at, parseJson, textAt } from '#infra/providers/http/json.ts';
import { isSameSignature } from '#infra/providers/http/signature.ts';
import { keyName } from '#infra/providers/stripe/authorization.ts';
import {
  authorizationOutcome,
  captureOutcome,
  refundOutcome,
  voidOutcome,
} from '#infra/providers/stripe/outcomes.ts';
import type { Settled } from '#infra/providers/stripe/outcomes.ts';
import type { Unknown } from '#ports/paymentOutcome.ts';
import type { Notice, NotificationReading, NotificationRequest } from '#ports/paymentProvider.ts';

/** How old or early a delivery may be; the value of Stripe's own libraries. */
const toleranceSeconds = 300;

/** Source: https://docs.stripe.com/webhooks (verify manually). */
export function readStripeNotification(request: NotificationRequest): NotificationReading {
  const secret = request.connection.fields['webhook_signing_secret'];
  if (secret === undefined || secret === '') return { status: 'refused', reason: 'no_secret' };
  const { timestamp, signatures } = readHeader(request.headers['stripe-signature'] ?? '');
  if (timestamp === undefined) return { status: 'refused', reason: 'signature' };
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(request.body).digest();
  const signed = signatures.some((each) => isSameSignature(each, expected));
  if (!signed) return { status: 'refused', reason: 'signature' };
  const age = request.now.getTime() / 1000 - Number(timestamp);
  if (Math.abs(age) > toleranceSeconds) return { status: 'refused', reason: 'too_old' };
  const event = parseJson(request.body);
  if (textAt(event, 'id') === undefined) return { status: 'refused', reason: 'malformed' };
  const notice = noticeOf(event);
  return {
    status: 'accepted',
    notices: notice === undefined ? [] : [notice],
    acknowledgement: '{"received":true}',
  };
}

/** `t=…,v1=…`; there may be more than one signature while a secret is exchanged. */
function readHeader(header: string): { timestamp: string | undefined; signatures: Buffer[] } {
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const timestamp = parts.find(([name]) => name === 't')?.[1];
  const signatures = parts
    .filter(([name]) => name === 'v1')
    .map(([, value = '']) => Buffer.from(value, 'hex'));
  return {
    timestamp: timestamp !== undefined && /^\d{1,12}$/.test(timestamp) ? timestamp : undefined,
    signatures,
  };
}

function noticeOf(event: unknown): Notice | undefined {
  const object = at(event, 'data', 'object');
  const told = toldBy(textAt(event, 'type') ?? '', object);
  const id = textAt(event, 'id');
  const transactionId =
    told?.operation === 'refund' ? textAt(object, 'payment_intent') : textAt(object, 'id');
  if (told?.outcome === undefined || told.outcome.status === 'unknown') return undefined;
  if (id === undefined || transactionId === undefined) return undefined;
  const { operation, outcome } = told;
  // The key on an intent is that of its authorization.
  const carriesKey = operation === 'authorize' || operation === 'refund';
  const idempotencyKey = carriesKey ? textAt(object, 'metadata', keyName) : undefined;
  const reconciliationId = textAt(object, 'metadata', 'reconciliation_id');
  return {
    id,
    operation,
    transactionId,
    outcome,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(reconciliationId === undefined ? {} : { reconciliationId }),
  };
}

type Told = { operation: Notice['operation']; outcome: Settled | Unknown | undefined };

/** Source: https://docs.stripe.com/api/events/types. */
function toldBy(type: string, object: unknown): Told | undefined {
  switch (type) {
    case 'payment_intent.amount_capturable_updated':
    case 'payment_intent.payment_failed':
      return { operation: 'authorize', outcome: authorizationOutcome(object) };
    case 'payment_intent.succeeded':
      return at(object, 'capture_method') === 'manual'
        ? { operation: 'capture', outcome: captureOutcome(object) }
        : { operation: 'authorize', outcome: authorizationOutcome(object) };
    case 'payment_intent.canceled':
      // An authorization that lapsed was not voided by anybody.
      return at(object, 'cancellation_reason') === 'automatic'
        ? undefined
        : { operation: 'void', outcome: voidOutcome(object) };
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return { operation: 'refund', outcome: refundOutcome(object) };
    default:
      return undefined;
  }
}
