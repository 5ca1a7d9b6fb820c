/**
 * Why a payment did not come about, in the words that transactions show as `error_code`. A decline ends in
 * `authorization_declined`, a failure in `authorization_failed`.
 */
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

export const failureCodes = [
  'cancelled_buyer_approval',
  'disputed_transaction',
  'duplicate_transaction',
  'failed_buyer_approval',
  'incomplete_buyer_approval',
  'insufficient_service_permissions',
  'internal_error',
  'invalid_amount',
  'invalid_billing_address',
  'invalid_operation',
  'invalid_payment_method',
  'invalid_request_parameters',
  'invalid_service_configuration',
  'invalid_service_credentials',
  'invalid_service_request',
  'invalid_service_response',
  'invalid_shipping_address',
  'invalid_tax_identifier',
  'missing_billing_address',
  'missing_cvv',
  'missing_redirect_url',
  'missing_shipping_address',
  'missing_tax_identifier',
  'refund_already_satisfied',
  'refund_period_expired',
  'requires_buyer_authentication',
  'service_error',
  'service_network_error',
  'service_rate_limit',
  'service_resource_conflict',
  'unavailable_payment_method',
  'unexpected_state',
  'unknown_error',
  'unknown_payment_method',
  'unknown_service_resource',
  'unrecognised_country',
  'unrecognised_currency',
  'unrecognised_payment_method',
  'unrecognised_scheme',
  'unsupported_country',
  'unsupported_currency',
  'unsupported_payment_method',
  'unsupported_scheme',
  'unsupported_transaction',
] as const;

export type DeclineCode = (typeof declineCodes)[number];
export type FailureCode = (typeof failureCodes)[number];
export type PaymentErrorCode = DeclineCode | FailureCode;

/** What a provider's refusal means: the issuer or provider said no, or something went wrong on the way. */
export type ErrorFamily = 'declined' | 'failed';

const declines: ReadonlySet<string> = new Set(declineCodes);

/** Every code that is no decline is a failure, one that nobody knows included. */
export const familyOf = (errorCode: string): ErrorFamily => (declines.has(errorCode) ? 'declined' : 'failed');
