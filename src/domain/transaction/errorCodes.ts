/** What a provider's refusal means: the issuer or provider said no, or something went wrong on the way. */
export type ErrorFamily = 'declined' | 'failed';

/** Source: reference of error codes, by the meaning that its vocabulary gives them. */
export const declineCodes = [
  'canceled_payment_method',
  'expired_authorization',
  'expired_payment_method',
  'incorrect_billing_address',
  'incorrect_country',
  'incorrect_currency',
  'incorrect_cvv',
  'incorrect_expiry_date',
  'insufficient_funds',
  'issuer_decline',
  'other_decline',
  'refused_transaction',
  'service_decline',
  'suspected_fraud',
] as const;

const declines: ReadonlySet<string> = new Set(declineCodes);

/** Every code that is no decline is a failure, one that nobody knows included. */
export const familyOf = (errorCode: string): ErrorFamily => (declines.has(errorCode) ? 'declined' : 'failed');
