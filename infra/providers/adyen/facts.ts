import { at, compact, textAt } from '#infra/providers/http/json.ts';
import { shownId, shownText } from '#infra/providers/http/shownText.ts';
import type {
  AvsResponseCode,
  CardFacts,
  CvvResponseCode,
  PaymentFacts,
  ThreeDSecureSummary,
} from '#ports/paymentOutcome.ts';

/**
 * Out of the answer to a payment. What stands in `additionalData` depends on what the account is set to return.
 * Source: https://docs.adyen.com/api-explorer/Checkout/71/post/payments.
 */
export function factsOfPayment(payment: unknown): PaymentFacts {
  const more = at(payment, 'additionalData');
  const raw = shownText(at(more, 'refusalReasonRaw'));
  const authCode = shownId(at(more, 'authCode'));
  return compact({
    transactionId: shownId(at(payment, 'pspReference')),
    schemeTransactionId: shownId(at(more, 'networkTxReference')),
    // Such as `05 : Do not honor`; only the network's code comes with a colon.
    authResponseCode: raw === undefined ? undefined : /^([0-9A-Z]{1,3})\s*:/.exec(raw)?.[1],
    cvvResponseCode: cvvResponseOf(textAt(more, 'cvcResult')),
    avsResponseCode: avsResponseOf(textAt(more, 'avsResult')),
    rawResponseCode: shownText(at(payment, 'refusalReasonCode')) ?? shownText(at(payment, 'resultCode')),
    rawResponseDescription: raw ?? shownText(at(payment, 'refusalReason')),
    threeDSecure: threeDSecureOf(more),
    card: cardOf(payment, more),
    additionalIdentifiers: authCode === undefined ? undefined : { authorization_code: authCode },
  });
}

/** The number that the text begins with decides. */
function cvvResponseOf(result: string | undefined): CvvResponseCode | undefined {
  if (result === undefined) return undefined;
  switch (Number.parseInt(result, 10)) {
    case 1:
      return 'match';
    case 2:
      return 'no_match';
    case 4:
    case 6:
      return 'not_provided';
    default:
      return 'unavailable';
  }
}

const avsResponses: readonly (readonly [AvsResponseCode, readonly number[]])[] = [
  ['match', [7, 20, 24]],
  ['partial_match_address', [1, 9, 12, 21, 25]],
  ['partial_match_postcode', [6, 14, 15, 19, 23]],
  ['no_match', [2, 10, 13, 16, 17, 26]],
  ['not_provided', [5]],
];

function avsResponseOf(result: string | undefined): AvsResponseCode | undefined {
  if (result === undefined) return undefined;
  const number = Number.parseInt(result, 10);
  return avsResponses.find(([, numbers]) => numbers.includes(number))?.[0] ?? 'unavailable';
}

function threeDSecureOf(more: unknown): ThreeDSecureSummary | undefined {
  const tried = ['threeDOffered', 'threeDAuthenticated'].some((name) => textAt(more, name) === 'true');
  if (!tried) return undefined;
  const response = textAt(more, 'threeDAuthenticatedResponse') ?? textAt(more, 'threeDOfferedResponse');
  const authenticated = textAt(more, 'threeDAuthenticated') === 'true' || response === 'A';
  return {
    version: textAt(more, 'threeDSVersion'),
    status: authenticated ? 'complete' : response === 'N' || response === 'R' ? 'declined' : 'error',
    method: undefined,
  };
}

const schemes: Readonly<Record<string, string>> = {
  amex: 'american-express',
  diners: 'diners-club',
  mc: 'mastercard',
  cup: 'unionpay',
};

function cardOf(payment: unknown, more: unknown): CardFacts | undefined {
  const brand = textAt(payment, 'paymentMethod', 'brand') ?? textAt(more, 'paymentMethod');
  const funding = textAt(more, 'fundingSource')?.toLowerCase();
  const card: CardFacts = compact({
    scheme: brand === undefined ? undefined : (schemes[brand] ?? brand),
    cardType: funding === 'credit' || funding === 'debit' || funding === 'prepaid' ? funding : undefined,
    issuerName: shownText(at(more, 'cardIssuingBank')),
    issuerCountry: textAt(more, 'cardIssuingCountry') ?? textAt(more, 'issuerCountry'),
    paymentAccountReference: shownId(at(more, 'PaymentAccountReference')),
  });
  return Object.keys(card).length === 0 ? undefined : card;
}
