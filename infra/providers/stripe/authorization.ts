import type { Form } from '#infra/providers/stripe/form.ts';
import type { AuthorizeCall, PaymentCard, PaymentUse } from '#ports/paymentProvider.ts';

/** Under this name an intent or a refund carries the key of the call that made it. */
export const keyName = 'holdfast_key';

/** Source: https://docs.stripe.com/api/payment_methods/create. */
export const cardForm = ({
  number,
  expirationMonth,
  expirationYear,
  cvc,
  holderName,
}: PaymentCard): Form => ({
  type: 'card',
  card: { number, exp_month: expirationMonth, exp_year: expirationYear, cvc },
  billing_details: { name: holderName },
});

/** Source: https://docs.stripe.com/api/payment_intents/create. */
export function intentForm(call: AuthorizeCall, paymentMethod: string): Form {
  const { money, intent, use, returnUrl } = call;
  const attended = !use.merchantInitiated && returnUrl !== undefined;
  return {
    amount: money.amount,
    currency: money.currency.toLowerCase(),
    payment_method: paymentMethod,
    payment_method_types: ['card'],
    confirm: true,
    // Said, because the default is to capture after the answer.
    capture_method: intent === 'capture' ? 'automatic' : 'manual',
    off_session: offSession(use),
    // Without a buyer at hand a redirect would leave the payment open for ever.
    error_on_requires_action: attended ? undefined : true,
    return_url: attended ? returnUrl : undefined,
    payment_method_options: {
      card: {
        three_d_secure: authenticationForm(call),
        mit_exemption: use.merchantInitiated
          ? { network_transaction_id: use.previousSchemeTransactionId }
          : undefined,
      },
    },
    metadata: metadataOf(call),
    expand: ['latest_charge'],
  };
}

const offSession = ({ merchantInitiated, paymentSource }: PaymentUse): string | undefined => {
  if (!merchantInitiated) return undefined;
  return paymentSource === 'recurring' ? 'recurring' : 'one_off';
};

/** Without a cryptogram or the directory server's id there is nothing that Stripe could pass on. */
function authenticationForm({ authentication }: AuthorizeCall): Form | undefined {
  if (authentication?.authenticationValue === undefined) return undefined;
  if (authentication.directoryServerTransactionId === undefined) return undefined;
  return {
    version: authentication.version,
    cryptogram: authentication.authenticationValue,
    transaction_id: authentication.directoryServerTransactionId,
    electronic_commerce_indicator: authentication.eci,
    ares_trans_status: authentication.directoryResponse,
  };
}

/** What does not fit (names of 40 characters, values of 500, 50 of them) is left out: it must not stop a payment. */
function metadataOf({
  metadata = {},
  externalIdentifier,
  reconciliationId,
  idempotencyKey,
}: AuthorizeCall): Form {
  const fitting = Object.entries(metadata)
    .filter(([name, value]) => name.length <= 40 && !/[[\]]/.test(name) && value.length <= 500)
    .slice(0, 47);
  return {
    ...Object.fromEntries(fitting),
    external_identifier: externalIdentifier,
    reconciliation_id: reconciliationId,
    [keyName]: idempotencyKey,
  };
}
