/** The words of transactions as clients see them. Names are storage format: they never change. */

export const transactionStatuses = [
  'processing',
  'buyer_approval_pending',
  'authorization_succeeded',
  'authorization_declined',
  'authorization_failed',
  'capture_pending',
  'capture_succeeded',
  'authorization_void_pending',
  'authorization_voided',
] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

export const intents = ['authorize', 'capture'] as const;
export type Intent = (typeof intents)[number];

export type IntentOutcome = 'pending' | 'succeeded' | 'failed';

export const paymentSources = ['card_on_file', 'ecommerce', 'recurring'] as const;
export type PaymentSource = (typeof paymentSources)[number];

export const refundStatuses = ['processing', 'succeeded', 'declined', 'failed', 'voided'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/** What a client may ask for after the authorization. */
export const laterSteps = ['capture', 'void', 'refund'] as const;

/** What a provider is called for. A reversal gives back what it took after it was counted as failed. */
export const operations = ['authorization', ...laterSteps, 'reversal'] as const;
export type Operation = (typeof operations)[number];

/** How a call may turn out. `unknown`: no answer came, so it may have been carried out or not. */
export const outcomeKinds = [
  'succeeded',
  'pending',
  'approval_required',
  'declined',
  'failed',
  'voided',
  'unknown',
] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** Largest amount, in minor units. Source: reference of transactions. */
export const maximumAmount = 99_999_999;
