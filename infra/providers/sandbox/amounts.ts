import type { PaymentErrorCode } from '#domain/transaction/errorCodes.ts';

const numbered = (first: number, ...codes: readonly PaymentErrorCode[]): [number, PaymentErrorCode][] =>
  codes.map((code, index) => [first + index, code]);

/** An amount that is in no table is approved. Source: the upstream simulator; 600xxx are ours. */
export const refusedAuthorizations: ReadonlyMap<number, PaymentErrorCode> = new Map([
  ...numbered(
    200001,
    ...(['canceled_payment_method', 'disputed_transaction', 'duplicate_transaction'] as const),
    ...(['expired_authorization', 'expired_payment_method', 'incorrect_billing_address'] as const),
    ...(['incorrect_country', 'incorrect_currency', 'incorrect_cvv', 'incorrect_expiry_date'] as const),
    ...(['insufficient_funds', 'issuer_decline', 'other_decline', 'requires_buyer_authentication'] as const),
    ...(['refused_transaction', 'service_decline', 'suspected_fraud', 'unavailable_payment_method'] as const),
    ...(['unknown_payment_method', 'unsupported_transaction', 'unsupported_payment_method'] as const),
    'cancelled_buyer_approval',
  ),
  ...numbered(
    300001,
    ...(['insufficient_service_permissions', 'invalid_amount', 'invalid_payment_method'] as const),
    ...(['invalid_service_configuration', 'invalid_service_credentials'] as const),
    ...(['invalid_service_response', 'invalid_tax_identifier', 'missing_billing_address'] as const),
    ...(['missing_cvv', 'missing_shipping_address', 'missing_tax_identifier'] as const),
    ...(['refund_period_expired', 'service_error', 'service_network_error', 'service_rate_limit'] as const),
  ),
  ...numbered(
    400001,
    ...(['internal_error', 'invalid_billing_address', 'invalid_operation'] as const),
    ...(['invalid_request_parameters', 'invalid_service_request', 'invalid_shipping_address'] as const),
    ...(['service_resource_conflict', 'unexpected_state', 'unknown_error'] as const),
    ...(['unknown_service_resource', 'unsupported_country', 'unsupported_currency'] as const),
    ...(['unrecognised_country', 'unrecognised_currency', 'unrecognised_payment_method'] as const),
    ...(['unrecognised_scheme', 'unsupported_scheme'] as const),
  ),
]);

/** By the amount that is captured. */
export const refusedCaptures: ReadonlyMap<number, PaymentErrorCode> = new Map(
  numbered(500001, 'service_network_error', 'refused_transaction'),
);

/** By the amount that was authorized. */
export const refusedVoids: ReadonlyMap<number, PaymentErrorCode> = new Map(
  numbered(510001, 'service_network_error', 'issuer_decline'),
);

/** By the amount that is refunded. */
export const refusedRefunds: ReadonlyMap<number, PaymentErrorCode> = new Map(
  numbered(520001, 'disputed_transaction', 'issuer_decline', 'service_error', 'refund_already_satisfied'),
);

/** The buyer has to approve the authorization. */
export const approvalAmount = 600001;
/** A capture is taken and confirmed later. */
export const slowCaptureAmount = 600002;
/** A void is taken and confirmed later. */
export const slowVoidAmount = 600003;
/** The authorization is made, and its answer is lost. */
export const lostAnswerAmount = 600004;
/** A refund is taken and confirmed later. */
export const slowRefundAmount = 600005;
