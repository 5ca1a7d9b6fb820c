import type { PaymentErrorCode } from '#domain/transaction/errorCodes.ts';

/** Source: https://docs.stripe.com/declines/codes. */
const declineCodes: Readonly<Record<string, PaymentErrorCode>> = {
  approve_with_id: 'issuer_decline',
  authentication_not_handled: 'requires_buyer_authentication',
  authentication_required: 'requires_buyer_authentication',
  call_issuer: 'issuer_decline',
  card_not_supported: 'unsupported_payment_method',
  card_velocity_exceeded: 'insufficient_funds',
  currency_not_supported: 'unsupported_currency',
  do_not_honor: 'issuer_decline',
  do_not_try_again: 'issuer_decline',
  duplicate_transaction: 'duplicate_transaction',
  expired_card: 'expired_payment_method',
  fraudulent: 'suspected_fraud',
  generic_decline: 'issuer_decline',
  highest_risk_level: 'suspected_fraud',
  incorrect_address: 'incorrect_billing_address',
  incorrect_cvc: 'incorrect_cvv',
  incorrect_number: 'invalid_payment_method',
  incorrect_zip: 'incorrect_billing_address',
  insufficient_funds: 'insufficient_funds',
  invalid_account: 'canceled_payment_method',
  invalid_amount: 'invalid_amount',
  invalid_cvc: 'incorrect_cvv',
  invalid_expiry_month: 'incorrect_expiry_date',
  invalid_expiry_year: 'incorrect_expiry_date',
  invalid_number: 'invalid_payment_method',
  issuer_not_available: 'unavailable_payment_method',
  lost_card: 'canceled_payment_method',
  merchant_blacklist: 'refused_transaction',
  new_account_information_available: 'issuer_decline',
  no_action_taken: 'issuer_decline',
  not_permitted: 'unsupported_transaction',
  pickup_card: 'canceled_payment_method',
  processing_error: 'service_error',
  reenter_transaction: 'service_error',
  restricted_card: 'canceled_payment_method',
  revocation_of_all_authorizations: 'issuer_decline',
  revocation_of_authorization: 'issuer_decline',
  rule: 'service_decline',
  security_violation: 'issuer_decline',
  service_not_allowed: 'unsupported_transaction',
  stolen_card: 'canceled_payment_method',
  stop_payment_order: 'issuer_decline',
  transaction_not_allowed: 'issuer_decline',
  try_again_later: 'issuer_decline',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
};

/** Source: https://docs.stripe.com/error-codes. */
const errorCodes: Readonly<Record<string, PaymentErrorCode>> = {
  amount_too_large: 'invalid_amount',
  amount_too_small: 'invalid_amount',
  authentication_required: 'requires_buyer_authentication',
  capture_charge_authorization_expired: 'expired_authorization',
  card_declined: 'issuer_decline',
  charge_already_captured: 'invalid_operation',
  charge_already_refunded: 'refund_already_satisfied',
  charge_disputed: 'disputed_transaction',
  charge_exceeds_source_limit: 'insufficient_funds',
  charge_expired_for_capture: 'expired_authorization',
  country_unsupported: 'unsupported_country',
  expired_card: 'expired_payment_method',
  incorrect_cvc: 'incorrect_cvv',
  incorrect_number: 'invalid_payment_method',
  incorrect_zip: 'incorrect_billing_address',
  invalid_charge_amount: 'invalid_amount',
  invalid_cvc: 'incorrect_cvv',
  invalid_expiry_month: 'incorrect_expiry_date',
  invalid_expiry_year: 'incorrect_expiry_date',
  invalid_number: 'invalid_payment_method',
  payment_intent_action_required: 'requires_buyer_authentication',
  payment_intent_authentication_failure: 'failed_buyer_approval',
  payment_intent_unexpected_state: 'unexpected_state',
  payment_intent_payment_attempt_expired: 'incomplete_buyer_approval',
  payment_intent_payment_attempt_failed: 'other_decline',
  processing_error: 'service_error',
  refund_disputed_payment: 'disputed_transaction',
  resource_missing: 'unknown_service_resource',
  testmode_charges_only: 'invalid_service_configuration',
};

/** Source: failure_reason of https://docs.stripe.com/api/refunds/object. */
const refundFailures: Readonly<Record<string, PaymentErrorCode>> = {
  charge_for_pending_refund_disputed: 'disputed_transaction',
  declined: 'issuer_decline',
  expired_or_canceled_card: 'canceled_payment_method',
  lost_or_stolen_card: 'canceled_payment_method',
};

/** @param fallback what to say of codes that are not known */
export function errorCodeOf(
  { code, declineCode }: { code: string | undefined; declineCode: string | undefined },
  fallback: PaymentErrorCode,
): PaymentErrorCode {
  return known(declineCodes, declineCode) ?? known(errorCodes, code) ?? fallback;
}

export const refundErrorOf = (reason: string | undefined): PaymentErrorCode =>
  known(refundFailures, reason) ?? 'service_error';

const known = (
  codes: Readonly<Record<string, PaymentErrorCode>>,
  code: string | undefined,
): PaymentErrorCode | undefined =>
  code !== undefined && Object.hasOwn(codes, code) ? codes[code] : undefined;
