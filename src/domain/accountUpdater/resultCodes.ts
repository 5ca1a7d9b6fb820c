/** What networks say of a card that has changed. spec: Result file */
export const updateCodes = ['UPD_PAN', 'UPD_EXP_DATE', 'UPD_BRAND_CONV', 'UPD_CORRECTED'] as const;

export const warningCodes = [
  'WRN_CLOSED_ACCOUNT',
  'WRN_CONTACT_CARDHOLDER',
  'WRN_ISSUER_NOT_ENROLLED',
  'WRN_ISSUER_NO_DATA',
  'WRN_OPT_OUT',
] as const;

export const errorCodes = [
  'ERR_UNDEFINED',
  'ERR_INVALID_PAN',
  'ERR_INVALID_TOKEN',
  'ERR_INVALID_EXP_DATE',
  'ERR_INVALID_CONFIG',
] as const;

export const resultCodes = [...updateCodes, ...warningCodes, ...errorCodes] as const;

export type UpdateCode = (typeof updateCodes)[number];
export type ErrorCode = (typeof errorCodes)[number];
export type ResultCode = (typeof resultCodes)[number];

export const isResultCode = (text: unknown): text is ResultCode =>
  (resultCodes as readonly unknown[]).includes(text);
