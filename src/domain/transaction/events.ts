import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';
import { intents, paymentSources } from '#domain/transaction/vocabulary.ts';

export const transactionStream = (tenantId: string, id: string): string => `transaction-${tenantId}.${id}`;

/** An integer in the currency's smallest unit. */
const amount = Type.Integer({ minimum: 0 });
const extra = Type.Record(Type.String(), Type.Unknown());

/** What a transaction shows of its 3-D Secure authentication. */
export const ThreeDSecure = Type.Object({
  version: Type.Optional(Type.String()),
  status: Type.Enum(['setup_error', 'error', 'declined', 'cancelled', 'complete']),
  method: Type.Enum(['challenge', 'frictionless']),
  error_data: Type.Optional(
    Type.Object({ description: Type.String(), detail: extra, code: Type.String(), component: extra }),
  ),
});
export type ThreeDSecure = Static<typeof ThreeDSecure>;

/** Everything but the card, which only its token names: no digit of it, and no code, is ever in an event. */
export const TransactionCreated = Type.Object({
  id: Type.String(),
  token_id: Type.String(),
  token_containers: Type.Optional(Type.Array(Type.String())),
  /** Where the vault keeps what may be shown of the card; absent: nothing is kept. */
  payload_id: Type.Optional(Type.String()),
  /** The connection as it was: it may change and go. */
  connection: Type.Object({
    id: Type.String(),
    display_name: Type.String(),
    method: Type.String(),
    connection_formula_id: Type.String(),
  }),
  /** The card's brand. */
  scheme: Type.Optional(Type.String()),
  amount,
  currency: Type.String(),
  country: Type.Optional(Type.String()),
  external_identifier: Type.Optional(Type.String()),
  intent: Type.Enum([...intents]),
  is_subsequent_payment: Type.Boolean(),
  merchant_initiated: Type.Boolean(),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  payment_source: Type.Enum([...paymentSources]),
  previous_scheme_transaction_id: Type.Optional(Type.String()),
  three_d_session_id: Type.Optional(Type.String()),
  three_d_secure: Type.Optional(ThreeDSecure),
});

/** Written before the provider is called; the provider takes the call id as idempotency key. */
const call = { id: Type.String(), call_id: Type.String() };
export const CallRequested = Type.Object({ ...call, amount });
export const VoidRequested = Type.Object(call);
export const RefundRequested = Type.Object({
  ...call,
  refund_id: Type.String(),
  amount,
  reason: Type.Optional(Type.String()),
});

/** What the provider said on the way. */
const answer = {
  ...call,
  /** The provider's id of a capture or void, where it has one of its own. */
  operation_id: Type.Optional(Type.String()),
  connection_transaction_id: Type.Optional(Type.String()),
  scheme_transaction_id: Type.Optional(Type.String()),
  auth_response_code: Type.Optional(Type.String()),
  cvv_response_code: Type.Optional(Type.Enum(['no_match', 'match', 'unavailable', 'not_provided'])),
  avs_response_code: Type.Optional(
    Type.Enum([
      'match',
      'no_match',
      'partial_match_address',
      'partial_match_postcode',
      'unavailable',
      'not_provided',
    ]),
  ),
  raw_response_code: Type.Optional(Type.String()),
  raw_response_description: Type.Optional(Type.String()),
  additional_identifiers: Type.Optional(Type.Record(Type.String(), Type.String())),
  card: Type.Optional(
    Type.Object({
      type: Type.Optional(Type.Enum(['credit', 'debit', 'prepaid'])),
      issuer_name: Type.Optional(Type.String()),
      payment_account_reference: Type.Optional(Type.String()),
    }),
  ),
  three_d_secure: Type.Optional(ThreeDSecure),
};
export const Answered = Type.Object(answer);
export const AuthorizationSucceeded = Type.Object({ ...answer, authorized_amount: amount });
export const CaptureSucceeded = Type.Object({
  ...answer,
  authorized_amount: amount,
  captured_amount: amount,
});
export const Refused = Type.Object({ ...answer, error_code: Type.String() });
export const BuyerApprovalPending = Type.Object({
  ...answer,
  /** A path of this service; of old events, the address of the provider's page. */
  approval_url: Type.String(),
  /** Where the vault keeps that address, which may hold a secret. */
  approval_payload_id: Type.Optional(Type.String()),
  /** ISO 8601. */
  approval_expires_at: Type.String(),
});
/** The provider took back a capture that it had told of. */
export const CaptureRevoked = Type.Object({
  ...answer,
  error_code: Type.String(),
  intent_outcome: Type.Enum(['succeeded', 'failed']),
  /** ISO 8601; as it was. */
  authorized_at: Type.Optional(Type.String()),
});
/** Something happened after it had been counted as failed; written before the call that gives it back. */
export const ReversalRequested = Type.Object({
  ...answer,
  /** The call that had happened. */
  reverses: Type.String(),
  by: Type.Enum(['void', 'refund']),
  amount,
});

const refundAnswer = {
  ...call,
  refund_id: Type.String(),
  connection_refund_id: Type.Optional(Type.String()),
};
export const RefundAnswered = Type.Object(refundAnswer);
export const RefundSucceeded = Type.Object({ ...refundAnswer, amount });
export const RefundRefused = Type.Object({ ...refundAnswer, error_code: Type.String() });

/** An event of the name of a status says that the transaction got there. */
export type TransactionEvent =
  | DomainEvent<'transaction.created', Static<typeof TransactionCreated>>
  | DomainEvent<'transaction.authorization_requested', Static<typeof CallRequested>>
  | DomainEvent<'transaction.authorization_pending', Static<typeof Answered>>
  | DomainEvent<'transaction.buyer_approval_pending', Static<typeof BuyerApprovalPending>>
  | DomainEvent<'transaction.authorization_succeeded', Static<typeof AuthorizationSucceeded>>
  | DomainEvent<'transaction.authorization_declined', Static<typeof Refused>>
  | DomainEvent<'transaction.authorization_failed', Static<typeof Refused>>
  | DomainEvent<'transaction.capture_requested', Static<typeof CallRequested>>
  | DomainEvent<'transaction.capture_pending', Static<typeof Answered>>
  | DomainEvent<'transaction.capture_succeeded', Static<typeof CaptureSucceeded>>
  | DomainEvent<'transaction.capture_failed', Static<typeof Refused>>
  | DomainEvent<'transaction.void_requested', Static<typeof VoidRequested>>
  | DomainEvent<'transaction.authorization_void_pending', Static<typeof Answered>>
  | DomainEvent<'transaction.authorization_voided', Static<typeof Answered>>
  | DomainEvent<'transaction.void_failed', Static<typeof Refused>>
  | DomainEvent<'transaction.capture_revoked', Static<typeof CaptureRevoked>>
  | DomainEvent<'transaction.reversal_requested', Static<typeof ReversalRequested>>
  | DomainEvent<'transaction.reversal_pending', Static<typeof Answered>>
  | DomainEvent<'transaction.reversal_succeeded', Static<typeof Answered>>
  | DomainEvent<'transaction.reversal_failed', Static<typeof Refused>>
  | DomainEvent<'transaction.refund_requested', Static<typeof RefundRequested>>
  | DomainEvent<'transaction.refund_pending', Static<typeof RefundAnswered>>
  | DomainEvent<'transaction.refund_succeeded', Static<typeof RefundSucceeded>>
  | DomainEvent<'transaction.refund_declined', Static<typeof RefundRefused>>
  | DomainEvent<'transaction.refund_failed', Static<typeof RefundRefused>>
  | DomainEvent<'transaction.refund_voided', Static<typeof RefundAnswered>>;
