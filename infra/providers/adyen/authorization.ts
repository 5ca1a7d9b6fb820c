import { compact } from '#infra/providers/http/json.ts';
import type { AuthorizeCall, PaymentUse } from '#ports/paymentProvider.ts';

/** The return URL is required even where nobody is to return. Source: RFC 2606, names that lead nowhere. */
const nowhere = 'https://holdfast.invalid/';

/** Source: https://docs.adyen.com/api-explorer/Checkout/71/post/payments. */
export function paymentBody(call: AuthorizeCall, merchantAccount: string): object {
  const { money, card, intent, use, returnUrl, authentication } = call;
  const attended = !use.merchantInitiated && returnUrl !== undefined;
  return compact({
    merchantAccount,
    reference: call.reconciliationId,
    merchantOrderReference: call.externalIdentifier,
    amount: { value: money.amount, currency: money.currency },
    countryCode: call.country,
    paymentMethod: compact({
      type: 'scheme',
      number: card.number,
      expiryMonth: String(card.expirationMonth).padStart(2, '0'),
      expiryYear: String(card.expirationYear),
      cvc: card.cvc,
      holderName: card.holderName,
      networkPaymentReference: use.previousSchemeTransactionId,
    }),
    ...interactionOf(use),
    returnUrl: attended ? returnUrl : nowhere,
    channel: attended ? 'Web' : undefined,
    // Without a buyer at hand nobody could answer a challenge.
    authenticationData: attended ? undefined : { attemptAuthentication: 'never' },
    mpiData:
      authentication === undefined
        ? undefined
        : compact({
            threeDSVersion: authentication.version,
            cavv: authentication.authenticationValue,
            eci: authentication.eci,
            dsTransID: authentication.directoryServerTransactionId,
            directoryResponse: authentication.directoryResponse,
            authenticationResponse: authentication.authenticationResponse,
          }),
    // Both are said, because the account has a default of its own.
    ...(intent === 'capture' ? { captureDelayHours: 0 } : { additionalData: { manualCapture: 'true' } }),
    metadata: metadataOf(call.metadata),
  });
}

/** Source: https://docs.adyen.com/online-payments/tokenization/ (shopper interaction, processing models). */
export function interactionOf({ merchantInitiated, paymentSource, isSubsequentPayment }: PaymentUse): {
  shopperInteraction: 'Ecommerce' | 'ContAuth';
  recurringProcessingModel?: 'CardOnFile' | 'Subscription' | 'UnscheduledCardOnFile';
} {
  if (merchantInitiated) {
    const recurringProcessingModel = paymentSource === 'recurring' ? 'Subscription' : 'UnscheduledCardOnFile';
    return { shopperInteraction: 'ContAuth', recurringProcessingModel };
  }
  if (paymentSource === 'recurring') {
    const shopperInteraction = isSubsequentPayment ? 'ContAuth' : 'Ecommerce';
    return { shopperInteraction, recurringProcessingModel: 'Subscription' };
  }
  if (paymentSource === 'card_on_file' || isSubsequentPayment) {
    return { shopperInteraction: 'ContAuth', recurringProcessingModel: 'CardOnFile' };
  }
  return { shopperInteraction: 'Ecommerce' };
}

/** What does not fit (names of 20 characters, values of 80, 20 of them) is left out: it must not stop a payment. */
function metadataOf(metadata: Readonly<Record<string, string>> = {}): Record<string, string> | undefined {
  const fitting = Object.entries(metadata)
    .filter(([name, value]) => name.length <= 20 && value.length <= 80)
    .slice(0, 20);
  return fitting.length === 0 ? undefined : Object.fromEntries(fitting);
}
