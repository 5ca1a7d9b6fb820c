import type { PaymentErrorCode } from '#domain/transaction/errorCodes.ts';

type Refusal = readonly [code: string, reason: string, errorCode: PaymentErrorCode];

/** Source: https://docs.adyen.com/development-resources/refusal-reasons. */
const refusals: readonly Refusal[] = [
  ['2', 'Refused', 'issuer_decline'],
  ['3', 'Referral', 'issuer_decline'],
  ['4', 'Acquirer Error', 'service_error'],
  ['5', 'Blocked Card', 'canceled_payment_method'],
  ['6', 'Expired Card', 'expired_payment_method'],
  ['7', 'Invalid Amount', 'invalid_amount'],
  ['8', 'Invalid Card Number', 'invalid_payment_method'],
  ['9', 'Issuer Unavailable', 'unavailable_payment_method'],
  ['10', 'Not supported', 'unsupported_transaction'],
  ['11', '3D Not Authenticated', 'failed_buyer_approval'],
  ['12', 'Not enough balance', 'insufficient_funds'],
  ['14', 'Acquirer Fraud', 'suspected_fraud'],
  ['15', 'Cancelled', 'other_decline'],
  ['16', 'Shopper Cancelled', 'cancelled_buyer_approval'],
  ['17', 'Invalid Pin', 'issuer_decline'],
  ['18', 'Pin tries exceeded', 'issuer_decline'],
  ['19', 'Pin validation not possible', 'issuer_decline'],
  ['20', 'FRAUD', 'suspected_fraud'],
  ['21', 'Not Submitted', 'service_error'],
  ['22', 'FRAUD-CANCELLED', 'suspected_fraud'],
  ['23', 'Transaction Not Permitted', 'unsupported_transaction'],
  ['24', 'CVC Declined', 'incorrect_cvv'],
  ['25', 'Restricted Card', 'canceled_payment_method'],
  ['26', 'Revocation Of Auth', 'issuer_decline'],
  ['27', 'Declined Non Generic', 'issuer_decline'],
  ['28', 'Withdrawal amount exceeded', 'insufficient_funds'],
  ['29', 'Withdrawal count exceeded', 'insufficient_funds'],
  ['31', 'Issuer Suspected Fraud', 'suspected_fraud'],
  ['32', 'AVS Declined', 'incorrect_billing_address'],
  ['33', 'Card requires online pin', 'requires_buyer_authentication'],
  ['34', 'No checking account available on Card', 'unsupported_payment_method'],
  ['35', 'No savings account available on Card', 'unsupported_payment_method'],
  ['36', 'Mobile pin required', 'requires_buyer_authentication'],
  ['38', 'Authentication required', 'requires_buyer_authentication'],
  ['39', 'RReq not received from DS', 'failed_buyer_approval'],
  ['42', '3DS Authentication Error', 'failed_buyer_approval'],
  ['46', 'Transaction blocked by Adyen to prevent excessive retry fees', 'service_decline'],
];

/** Source: https://docs.adyen.com/development-resources/error-codes. */
const errors: Readonly<Record<string, PaymentErrorCode>> = {
  '010': 'insufficient_service_permissions',
  '101': 'invalid_payment_method',
  '102': 'unrecognised_scheme',
  '103': 'incorrect_cvv',
  '129': 'incorrect_expiry_date',
  '137': 'invalid_amount',
  '138': 'unsupported_currency',
  '153': 'incorrect_cvv',
  '167': 'unknown_service_resource',
  '901': 'invalid_service_configuration',
  '905': 'unsupported_payment_method',
  '916': 'invalid_amount',
};

/** A call under this key is under way, or was just made. */
export const inProgressCode = '704';

export const refusalErrorOf = (code: string | undefined, reason: string | undefined): PaymentErrorCode =>
  refusals.find(([each]) => each === code)?.[2] ??
  refusals.find(([, each]) => each.toLowerCase() === reason?.toLowerCase())?.[2] ??
  'other_decline';

export const requestErrorOf = (status: number, code: string): PaymentErrorCode =>
  Object.hasOwn(errors, code)
    ? (errors[code] ?? 'invalid_service_request')
    : status === 404
      ? 'unknown_service_resource'
      : 'invalid_service_request';
