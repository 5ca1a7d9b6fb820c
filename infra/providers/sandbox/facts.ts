import { hash } from 'node:crypto';
import { cardSchemeOf } from '#domain/token/cardScheme.ts';
import type { PaymentErrorCode } from '#domain/transaction/errorCodes.ts';
import type { CvvResponseCode, PaymentFacts, ThreeDSecureSummary } from '#ports/paymentOutcome.ts';
import type { AuthenticationData, AuthorizeCall, PaymentCard } from '#ports/paymentProvider.ts';

/** The call, with the card where the caller still has it. */
export type SandboxAuthorization = Omit<AuthorizeCall, 'card'> & { card?: PaymentCard };

/** What an issuer would say, by ISO 8583. */
const responseCodes: Partial<Record<PaymentErrorCode, string>> = {
  canceled_payment_method: '41',
  expired_payment_method: '54',
  incorrect_cvv: '82',
  incorrect_expiry_date: '54',
  insufficient_funds: '51',
  invalid_payment_method: '14',
  suspected_fraud: '59',
  unavailable_payment_method: '91',
};

/** What the issuer says: nothing before the buyer has approved. */
export function issuerFacts(transactionId: string, errorCode?: PaymentErrorCode): PaymentFacts {
  if (errorCode !== undefined) {
    return { transactionId, authResponseCode: responseCodes[errorCode] ?? '05', rawResponseCode: errorCode };
  }
  const schemeTransactionId = schemeIdOf(transactionId);
  return { transactionId, schemeTransactionId, authResponseCode: '00', rawResponseCode: 'approved' };
}

/** What is known as soon as the card is there. */
export function cardFacts({ card, authentication }: SandboxAuthorization): PaymentFacts {
  const scheme = card === undefined ? undefined : cardSchemeOf(card.number);
  return {
    ...(card === undefined
      ? {}
      : { cvvResponseCode: cvvResponseTo(card.cvc), avsResponseCode: 'not_provided' }),
    ...(authentication === undefined ? {} : { threeDSecure: summaryOf(authentication) }),
    ...(scheme === undefined ? {} : { card: { scheme, cardType: 'credit', issuerCountry: 'US' } }),
  };
}

function cvvResponseTo(cvc: string | undefined): CvvResponseCode {
  if (cvc === undefined || cvc === '222') return 'not_provided';
  return cvc === '333' ? 'no_match' : 'match';
}

/** Passed-through data shows no challenge: whether there was one, its session knows. */
function summaryOf({
  version,
  directoryResponse,
  authenticationResponse,
}: AuthenticationData): ThreeDSecureSummary {
  const response = authenticationResponse ?? directoryResponse;
  const complete = response === undefined || response === 'Y' || response === 'A' || response === 'I';
  return {
    version,
    status: complete ? 'complete' : response === 'U' ? 'error' : 'declined',
    method: authenticationResponse === undefined ? 'frictionless' : 'challenge',
  };
}

/** Fifteen digits as a network's, with a first one that no card number begins with. */
function schemeIdOf(transactionId: string): string {
  const number = BigInt(`0x${hash('sha256', `scheme:${transactionId}`)}`) % 10n ** 14n;
  return `0${number.toString().padStart(14, '0')}`;
}
