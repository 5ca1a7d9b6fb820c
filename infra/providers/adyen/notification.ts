import { createHmac } from 'node:crypto';
import { refusalErrorOf } from '#infra/providers/adyen/errorCodes.ts';
import { at, listAt, numberAt, parseJson, textAt } from '#infra/providers/http/json.ts';
import { shownText } from '#infra/providers/http/shownText.ts';
import { isSameSignature } from '#infra/providers/http/signature.ts';
import type { PaymentErrorCode } from '#domain/transaction/errorCodes.ts';
import type { Declined, PaymentFacts, Succeeded } from '#ports/paymentOutcome.ts';
import type { Notice, NotificationReading, NotificationRequest } from '#ports/paymentProvider.ts';

/**
 * Items are signed one by one, without a time: an old one may be delivered again, and must not do harm.
 * Source: https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures.
 */
export function readAdyenNotification({ connection, body }: NotificationRequest): NotificationReading {
  const key = connection.fields['hmac_key'] ?? '';
  if (!/^([0-9a-f]{2})+$/i.test(key)) return { status: 'refused', reason: 'no_secret' };
  const items = listAt(parseJson(body), 'notificationItems').map((each) =>
    at(each, 'NotificationRequestItem'),
  );
  if (items.length === 0) return { status: 'refused', reason: 'malformed' };
  if (!items.every((item) => isSigned(item, key))) return { status: 'refused', reason: 'signature' };
  const own = items.filter(
    (item) => at(item, 'merchantAccountCode') === connection.fields['merchant_account'],
  );
  return { status: 'accepted', notices: own.flatMap(noticesOf), acknowledgement: '[accepted]' };
}

function isSigned(item: unknown, key: string): boolean {
  const given = textAt(item, 'additionalData', 'hmacSignature') ?? '';
  const expected = createHmac('sha256', Buffer.from(key, 'hex')).update(signedText(item)).digest();
  return isSameSignature(Buffer.from(given, 'base64'), expected);
}

export function signedText(item: unknown): string {
  return [
    textAt(item, 'pspReference') ?? '',
    textAt(item, 'originalReference') ?? '',
    textAt(item, 'merchantAccountCode') ?? '',
    textAt(item, 'merchantReference') ?? '',
    String(numberAt(item, 'amount', 'value') ?? ''),
    textAt(item, 'amount', 'currency') ?? '',
    textAt(item, 'eventCode') ?? '',
    String(at(item, 'success') ?? ''),
  ].join(':');
}

/** Source: https://docs.adyen.com/development-resources/webhooks/webhook-types (standard webhook). */
const operations: Readonly<Record<string, Notice['operation']>> = {
  AUTHORISATION: 'authorize',
  CAPTURE: 'capture',
  CAPTURE_FAILED: 'capture',
  CANCELLATION: 'void',
  TECHNICAL_CANCEL: 'void',
  REFUND: 'refund',
  REFUND_FAILED: 'refund',
};

function noticesOf(item: unknown): Notice[] {
  const event = textAt(item, 'eventCode') ?? '';
  const operation = Object.hasOwn(operations, event) ? operations[event] : undefined;
  const reference = textAt(item, 'pspReference');
  const modification = operation !== 'authorize';
  const transactionId = modification ? textAt(item, 'originalReference') : reference;
  if (operation === undefined || reference === undefined || transactionId === undefined) return [];
  const success = String(at(item, 'success')) === 'true';
  const facts: PaymentFacts = { transactionId, ...(modification ? { operationId: reference } : {}) };
  const merchantReference = textAt(item, 'merchantReference');
  return [
    {
      id: `${reference}:${event}:${String(success)}`,
      operation,
      transactionId,
      // Payments carry the transaction's short id as reference, later steps their key.
      ...(merchantReference === undefined
        ? {}
        : modification
          ? { idempotencyKey: merchantReference }
          : { reconciliationId: merchantReference }),
      outcome:
        success && !event.endsWith('_FAILED')
          ? succeeded(item, facts, operation)
          : declined(item, facts, operation),
    },
  ];
}

/** Whether an authorization was captured with it is not said. */
function succeeded(item: unknown, facts: PaymentFacts, operation: Notice['operation']): Succeeded {
  return {
    status: 'succeeded',
    facts,
    amount: numberAt(item, 'amount', 'value') ?? 0,
    ...(operation === 'authorize' ? {} : { captured: operation !== 'void' }),
    ...timeOf(item),
  };
}

/** The reason is not signed: it explains, and decides nothing but the word for it. */
function declined(item: unknown, facts: PaymentFacts, operation: Notice['operation']): Declined {
  const reason = shownText(at(item, 'reason'));
  const errorCode: PaymentErrorCode =
    operation === 'authorize' ? refusalErrorOf(undefined, textAt(item, 'reason')) : 'refused_transaction';
  return {
    status: 'declined',
    errorCode,
    facts: { ...facts, ...(reason === undefined ? {} : { rawResponseDescription: reason }) },
    // These come after a success that was told of.
    ...(textAt(item, 'eventCode')?.endsWith('_FAILED') === true ? { takesBack: true } : {}),
  };
}

function timeOf(item: unknown): { at?: string } {
  const time = Date.parse(textAt(item, 'eventDate') ?? '');
  return Number.isNaN(time) ? {} : { at: new Date(time).toISOString() };
}
