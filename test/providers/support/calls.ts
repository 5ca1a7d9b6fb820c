import type { AuthorizeCall, PaymentSoFar, PaymentUse, ProviderConnection } from '#ports/paymentProvider.ts';
import type { ProviderOutcome } from '#ports/paymentOutcome.ts';

export const cardNumber = '4111111111111111';
export const firstUse: PaymentUse = {
  merchantInitiated: false,
  paymentSource: 'ecommerce',
  isSubsequentPayment: false,
};

let keys = 0;
export const freshKey = (): string => `key-${process.pid}-${(keys++).toString().padStart(6, '0')}`;

/** A first payment of 12.99 with a code, unless it is said otherwise. */
export function authorizeCall(
  connection: ProviderConnection,
  more: Partial<AuthorizeCall> = {},
): AuthorizeCall {
  return {
    connection,
    idempotencyKey: freshKey(),
    intent: 'authorize',
    money: { amount: 1299, currency: 'USD' },
    card: {
      number: cardNumber,
      expirationMonth: 8,
      expirationYear: 2030,
      cvc: '123',
      holderName: 'Ada Lovelace',
    },
    use: firstUse,
    country: 'US',
    metadata: { order: '42' },
    externalIdentifier: 'order-42',
    reconciliationId: '7jZXl4gBUNl0CnaLEnfXbt',
    ...more,
  };
}

/** What is known of a payment after its authorization. */
export function soFar(outcome: ProviderOutcome, more: Partial<PaymentSoFar> = {}): PaymentSoFar {
  const transactionId = 'facts' in outcome ? outcome.facts.transactionId : undefined;
  if (transactionId === undefined) throw new Error(`no transaction id in ${JSON.stringify(outcome)}`);
  const amount = outcome.status === 'succeeded' ? outcome.amount : 0;
  const captured = outcome.status === 'succeeded' && outcome.captured === true ? amount : 0;
  return {
    transactionId,
    reconciliationId: '7jZXl4gBUNl0CnaLEnfXbt',
    currency: 'USD',
    authorizedAmount: amount,
    capturedAmount: captured,
    refundedAmount: 0,
    ...more,
  };
}
