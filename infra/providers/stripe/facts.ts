import { at, compact, textAt } from '#infra/providers/http/json.ts';
import { shownId, shownText } from '#infra/providers/http/shownText.ts';
import type {
  AvsResponseCode,
  CardFacts,
  CvvResponseCode,
  PaymentFacts,
  ThreeDSecureSummary,
} from '#ports/paymentOutcome.ts';

/** Out of a PaymentIntent whose `latest_charge` is expanded. Source: https://docs.stripe.com/api/charges/object. */
export function factsOfIntent(intent: unknown): PaymentFacts {
  const charge = at(intent, 'latest_charge');
  const details = at(charge, 'payment_method_details', 'card');
  const error = at(intent, 'last_payment_error');
  return compact({
    ...factsOfError(error),
    transactionId: shownId(at(intent, 'id')),
    schemeTransactionId: shownId(at(details, 'network_transaction_id')),
    authResponseCode:
      shownText(at(error, 'network_decline_code')) ??
      shownText(at(charge, 'outcome', 'network_decline_code')),
    cvvResponseCode: cvvResponseOf(details),
    avsResponseCode: avsResponseOf(details),
    ...(error === undefined || error === null
      ? { rawResponseCode: shownText(at(charge, 'outcome', 'network_status')) }
      : {}),
    threeDSecure: threeDSecureOf(at(details, 'three_d_secure')),
    card: cardOf(details),
    additionalIdentifiers: identifiersOf(charge, details),
  });
}

/** The provider's codes, out of an error or the last error of an intent. */
export function factsOfError(error: unknown): PaymentFacts {
  return compact({
    rawResponseCode: shownText(at(error, 'decline_code')) ?? shownText(at(error, 'code')),
    rawResponseDescription: shownText(at(error, 'message')),
    authResponseCode: shownText(at(error, 'network_decline_code')),
  });
}

function cvvResponseOf(details: unknown): CvvResponseCode | undefined {
  if (details === undefined || details === null) return undefined;
  switch (at(details, 'checks', 'cvc_check')) {
    case 'pass':
      return 'match';
    case 'fail':
      return 'no_match';
    case 'unavailable':
    case 'unchecked':
      return 'unavailable';
    default:
      return 'not_provided';
  }
}

function avsResponseOf(details: unknown): AvsResponseCode | undefined {
  if (details === undefined || details === null) return undefined;
  const line = at(details, 'checks', 'address_line1_check');
  const postcode = at(details, 'checks', 'address_postal_code_check');
  if (line === 'pass' && postcode === 'pass') return 'match';
  if (line === 'pass') return 'partial_match_address';
  if (postcode === 'pass') return 'partial_match_postcode';
  if (line === 'fail' || postcode === 'fail') return 'no_match';
  return line === undefined || line === null ? 'not_provided' : 'unavailable';
}

function threeDSecureOf(secure: unknown): ThreeDSecureSummary | undefined {
  const result = textAt(secure, 'result');
  if (result === undefined) return undefined;
  const flow = at(secure, 'authentication_flow');
  return {
    version: textAt(secure, 'version'),
    status: threeDSecureStatus(result, at(secure, 'result_reason')),
    method: flow === 'challenge' || flow === 'frictionless' ? flow : undefined,
  };
}

function threeDSecureStatus(result: string, reason: unknown): ThreeDSecureSummary['status'] {
  if (reason === 'canceled' || reason === 'abandoned') return 'cancelled';
  if (result === 'failed') return 'declined';
  return ['authenticated', 'attempt_acknowledged', 'exempted'].includes(result) ? 'complete' : 'error';
}

const schemes: Readonly<Record<string, string>> = {
  amex: 'american-express',
  diners: 'diners-club',
};

function cardOf(details: unknown): CardFacts | undefined {
  const brand = textAt(details, 'brand');
  const funding = textAt(details, 'funding');
  const card: CardFacts = compact({
    scheme: brand === undefined || brand === 'unknown' ? undefined : (schemes[brand] ?? brand),
    cardType: funding === 'credit' || funding === 'debit' || funding === 'prepaid' ? funding : undefined,
    issuerName: shownText(at(details, 'issuer')),
    issuerCountry: textAt(details, 'country'),
  });
  return Object.keys(card).length === 0 ? undefined : card;
}

function identifiersOf(charge: unknown, details: unknown): Record<string, string> | undefined {
  const identifiers = compact({
    charge_id: shownId(at(charge, 'id')) ?? shownId(charge),
    authorization_code: shownId(at(details, 'authorization_code')),
  });
  return Object.keys(identifiers).length === 0 ? undefined : (identifiers as Record<string, string>);
}
