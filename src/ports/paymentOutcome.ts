import type { PaymentErrorCode } from '#domain/transaction/errorCodes.ts';

/** How the code on the card compared with the issuer's. `unavailable`: it was sent, and nobody could check it. */
export type CvvResponseCode = 'match' | 'no_match' | 'unavailable' | 'not_provided';

export type AvsResponseCode =
  'match' | 'no_match' | 'partial_match_address' | 'partial_match_postcode' | 'unavailable' | 'not_provided';

/** How an authentication of the buyer ended. Source: EMV 3-D Secure 2, in the reference's summary of it. */
export type ThreeDSecureSummary = {
  /** Such as `2.2.0`. */
  version: string | undefined;
  status: 'setup_error' | 'error' | 'declined' | 'cancelled' | 'complete';
  method: 'challenge' | 'frictionless' | undefined;
};

/** What a provider knows of the card. */
export type CardFacts = {
  /** As transactions show it: `visa`, `mastercard`, `american-express`, … */
  scheme?: string;
  cardType?: 'credit' | 'debit' | 'prepaid';
  issuerName?: string;
  /** Two letters, upper case. */
  issuerCountry?: string;
  paymentAccountReference?: string;
};

/** What a provider tells of a payment. What it does not tell is missing. Never holds a card number, CVC or key. */
export type PaymentFacts = {
  /** The provider's id of the payment: what capture, void and refund go by. */
  transactionId?: string;
  /** The provider's id of this capture, void or refund, where it has one of its own. */
  operationId?: string;
  /** The network's id, which later payments without the buyer refer to. */
  schemeTransactionId?: string;
  /** The processor's code as it came, such as `00` or `05`. */
  authResponseCode?: string;
  cvvResponseCode?: CvvResponseCode;
  avsResponseCode?: AvsResponseCode;
  /** The provider's own code and words. */
  rawResponseCode?: string;
  rawResponseDescription?: string;
  threeDSecure?: ThreeDSecureSummary;
  card?: CardFacts;
  /** Further ids by name, such as the charge's, or the issuer's approval code. */
  additionalIdentifiers?: Readonly<Record<string, string>>;
};

/** The provider did it. */
export type Succeeded = {
  status: 'succeeded';
  facts: PaymentFacts;
  /** What was authorized, captured, released or refunded, in minor units. */
  amount: number;
  /** Whether the money was captured; missing where the provider does not say, and the intent decides. */
  captured?: boolean;
  /** When, by the provider's clock, in ISO 8601; missing where it does not say. */
  at?: string;
};

/** The provider took the call; its outcome is still open. */
export type Pending = {
  status: 'pending';
  facts: PaymentFacts;
} & (
  | {
      waitingFor: 'buyer';
      /** Where the buyer goes with a browser. */
      approvalUrl: string;
    }
  /** A notification, or a later question, brings the outcome. */
  | { waitingFor: 'provider' }
);

/** Final: it did not happen. The code says whether it counts as a decline or a failure. */
export type Declined = {
  status: 'declined';
  errorCode: PaymentErrorCode;
  facts: PaymentFacts;
  /** It had been told of as done, and turned out not to be. */
  takesBack?: true;
};

/** The provider does not know the credentials, or they do not suffice. Nothing happened. */
export type Unauthorized = {
  status: 'unauthorized';
  errorCode: 'invalid_service_credentials' | 'insufficient_service_permissions';
};

/** Nothing happened: the same call under the same key may be made again. */
export type NotDone = {
  status: 'not_done';
  reason: 'unreachable' | 'rate_limit' | 'refused' | 'stopping';
  /** How long the provider asks to wait. */
  retryAfterMilliseconds?: number;
};

/**
 * It may or may not have happened. Never to be tried under another key: {@link PaymentProvider.find} says what to do.
 * `conflict`: the provider holds another call under this key. `in_progress`: the first one is still running.
 */
export type Unknown = {
  status: 'unknown';
  reason: 'timeout' | 'connection' | 'server_error' | 'invalid_answer' | 'in_progress' | 'conflict';
};

export type ProviderOutcome = Succeeded | Pending | Declined | Unauthorized | NotDone | Unknown;
