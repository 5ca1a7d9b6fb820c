import Type from 'typebox';
import type { TSchema } from 'typebox';
import { closed } from '#http/schemas/closed.ts';
import { mapOf } from '#http/schemas/map.ts';
import { nullable } from '#http/schemas/nullable.ts';
import {
  intents,
  maximumAmount,
  paymentSources,
  refundStatuses,
  transactionStatuses,
} from '#domain/transaction/vocabulary.ts';

const may = <Schema extends TSchema>(schema: Schema) => Type.Optional(nullable(schema));
const minorUnits = 'An integer in the smallest unit of the currency';
const anyNumber = (description: string) => Type.Number({ description, examples: [1050] });

/** Its members are looked at by the domain, all at once; the types here are what they are meant to be. */
export const CreateTransaction = closed({
  amount: anyNumber(
    `${minorUnits}, up to ${maximumAmount}; 0 with the intent \`authorize\`, where the connection supports it.`,
  ),
  connection_id: Type.String(),
  currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
  token: Type.String({ description: 'The id of a token of the type `card`.' }),
  country: may(Type.String({ description: 'ISO 3166-1, two letters.', examples: ['US'] })),
  external_identifier: may(Type.String({ description: "The caller's reference, up to 200 characters." })),
  intent: may(Type.String({ description: `One of ${intents.join(', ')}; by default \`authorize\`.` })),
  is_subsequent_payment: may(Type.Boolean()),
  merchant_initiated: may(Type.Boolean()),
  metadata: may(Type.Unknown({ description: 'Texts by name; not sensitive.' })),
  payment_source: may(
    Type.String({ description: `One of ${paymentSources.join(', ')}; by default \`ecommerce\`.` }),
  ),
  previous_scheme_transaction_id: may(
    Type.String({
      description: '`scheme_transaction_id` of an earlier transaction that the buyer initiated.',
    }),
  ),
  three_d_session_id: may(
    Type.Unknown({ description: 'The id of a 3-D Secure session, or an object that has it as `id`.' }),
  ),
});

export const CaptureTransaction = closed({
  amount: may(anyNumber(`${minorUnits}; absent: all that was authorized.`)),
});

export const RefundTransaction = closed({
  amount: may(anyNumber(`${minorUnits}; absent: all that is left.`)),
  reason: may(Type.String({ minLength: 1, maxLength: 100 })),
});

const amount = Type.Integer();
const text = nullable(Type.String());
const moment = nullable(Type.String({ format: 'date-time' }));
const certain = Type.String({ format: 'date-time' });

const PaymentMethod = Type.Object(
  {
    type: Type.Literal('payment-method'),
    id: text,
    token: Type.String({ description: 'The id of the token.' }),
    method: Type.Literal('card'),
    mode: Type.Literal('card'),
    label: nullable(Type.String({ description: 'The last four digits.' })),
    scheme: text,
    expiration_date: nullable(Type.String({ description: '`MM/YY`' })),
    details: Type.Object({ bin: text, card_type: text, card_issuer_name: text }),
    fingerprint: text,
    approval_url: nullable(
      Type.String({ description: 'Where the buyer approves, while that is waited for.' }),
    ),
    approval_target: text,
    country: text,
    currency: Type.String(),
    external_identifier: text,
    last_replaced_at: text,
    payment_account_reference: text,
  },
  { $id: 'PaymentMethod' },
);

const ThreeDSecure = Type.Object(
  {
    version: Type.Optional(Type.String()),
    status: Type.Enum(['setup_error', 'error', 'declined', 'cancelled', 'complete']),
    method: Type.Enum(['challenge', 'frictionless']),
    error_data: Type.Optional(
      Type.Object({
        description: Type.String(),
        detail: mapOf(Type.Unknown()),
        code: Type.String(),
        component: mapOf(Type.Unknown()),
      }),
    ),
  },
  { $id: 'ThreeDSecure' },
);

/** spec: Transaction */
export const Transaction = Type.Object(
  {
    type: Type.Literal('transaction'),
    id: Type.String({ format: 'uuid' }),
    reconciliation_id: Type.String({ description: 'The id in base 62.' }),
    external_identifier: text,
    status: Type.Enum([...transactionStatuses]),
    intent: Type.Enum([...intents]),
    intent_outcome: Type.Enum(['pending', 'succeeded', 'failed']),
    amount,
    currency: Type.String(),
    country: text,
    authorized_amount: amount,
    captured_amount: amount,
    refunded_amount: amount,
    payment_method: PaymentMethod,
    instrument_type: Type.Literal('pan'),
    connection: Type.Object({
      type: Type.Literal('connection'),
      id: Type.String(),
      display_name: Type.String(),
      method: Type.String(),
      connection_formula_id: Type.String(),
    }),
    connection_transaction_id: text,
    scheme_transaction_id: text,
    previous_scheme_transaction_id: text,
    payment_source: Type.Enum([...paymentSources]),
    merchant_initiated: Type.Boolean(),
    is_subsequent_payment: Type.Boolean(),
    three_d_session_id: text,
    three_d_secure: nullable(ThreeDSecure),
    error_code: text,
    auth_response_code: text,
    cvv_response_code: nullable(Type.Enum(['no_match', 'match', 'unavailable', 'not_provided'])),
    avs_response_code: text,
    raw_response_code: nullable(Type.String({ description: "The provider's own." })),
    raw_response_description: text,
    additional_identifiers: mapOf(Type.String()),
    metadata: nullable(mapOf(Type.String())),
    approval_expires_at: moment,
    authorized_at: moment,
    captured_at: moment,
    voided_at: moment,
    created_by: text,
    created_at: certain,
    updated_at: certain,
  },
  { $id: 'Transaction' },
);

/** Source: reference of transactions, refunds. */
export const Refund = Type.Object(
  {
    type: Type.Literal('refund'),
    id: Type.String({ format: 'uuid' }),
    transaction_id: Type.String({ format: 'uuid' }),
    connection_refund_id: text,
    status: Type.Enum([...refundStatuses]),
    currency: Type.String(),
    amount,
    reason: text,
    error_code: text,
    created_at: certain,
    updated_at: certain,
  },
  { $id: 'Refund' },
);

export const RefundList = Type.Object({
  pagination: Type.Object({
    limit: Type.Integer(),
    next_cursor: Type.Null({ description: 'A transaction shows all of its refunds at once.' }),
    previous_cursor: Type.Null(),
  }),
  data: Type.Array(Refund),
});
