import Type from 'typebox';
import { authenticationStatuses, devices, methodIndicators } from '#domain/threeDs/vocabulary.ts';
import { closed } from '#http/schemas/closed.ts';
import { emptyable } from '#http/schemas/emptyable.ts';
import { mapOf } from '#http/schemas/map.ts';

const tokenId = (description: string) =>
  Type.Optional(emptyable(Type.String({ minLength: 1, maxLength: 400, description })));

/** What clients tell an issuer about device, purchase and buyer. The sandbox asks none: its test cards decide. */
const ofNoEffect = {
  session: ['type', 'device_info', 'webview', 'web_challenge_mode', 'metadata'],
  authentication: [
    'authentication_category',
    'authentication_type',
    'broadcast_info',
    'card_brand',
    'cardholder_info',
    'challenge_preference',
    'decoupled_challenge_max_time',
    'merchant_info',
    'message_extensions',
    'purchase_info',
    'request_decoupled_challenge',
    'requestor_info',
  ],
};

export const CreateThreeDsSession = closed(
  {
    token_id: tokenId('A token of the type `card`.'),
    pan_token_id: tokenId('The older name of `token_id`.'),
    pan: tokenId('An older name still.'),
    device: Type.Optional(emptyable(Type.Enum([...devices], { description: 'Default: `browser`.' }))),
  },
  ofNoEffect.session,
);

export const AuthenticateThreeDsSession = closed(
  {
    method_completion_indicator: Type.Optional(Type.Enum([...methodIndicators])),
  },
  ofNoEffect.authentication,
);

export const CompleteThreeDsChallenge = closed({
  cancelled: Type.Optional(Type.Boolean({ description: 'The buyer closed the challenge. Default: false.' })),
});

const text = Type.Optional(Type.String());

export const ThreeDsAuthentication = Type.Object(
  {
    session_id: Type.String({ format: 'uuid' }),
    token_id: Type.String(),
    pan_token_id: Type.String(),
    threeds_version: text,
    acs_transaction_id: text,
    ds_transaction_id: text,
    acs_reference_number: text,
    ds_reference_number: text,
    authentication_value: Type.Optional(Type.String({ description: 'The cryptogram, in base64.' })),
    authentication_status: Type.Enum([...authenticationStatuses]),
    authentication_status_reason: text,
    eci: text,
    acs_challenge_mandated: text,
    authentication_challenge_type: text,
    acs_challenge_url: Type.Optional(Type.String({ description: 'Where the buyer answers to a challenge.' })),
    challenge_attempts: Type.Optional(Type.String({ description: 'A number.' })),
    error_data: Type.Optional(
      Type.Object({
        code: Type.String(),
        description: Type.String(),
        detail: mapOf(Type.Unknown()),
        component: mapOf(Type.Unknown()),
      }),
    ),
  },
  { $id: 'ThreeDsAuthentication' },
);

const session = {
  id: Type.String({ format: 'uuid' }),
  tenant_id: Type.String({ format: 'uuid' }),
  token_id: Type.String(),
  pan_token_id: Type.String(),
  card_brand: text,
  expiration_date: Type.String({ format: 'date-time' }),
  created_date: Type.String({ format: 'date-time' }),
  created_by: text,
  modified_date: text,
  modified_by: text,
  device: Type.Enum([...devices]),
  version: Type.Object({
    recommended_version: Type.String(),
    available_versions: Type.Array(Type.String()),
  }),
  method: Type.Object({
    method_url: Type.Optional(Type.String({ description: 'A page that a browser shows unseen first.' })),
    method_completion_indicator: Type.Optional(Type.Enum([...methodIndicators])),
  }),
  authentication: Type.Optional(ThreeDsAuthentication),
};

export const ThreeDsSession = Type.Object(session, { $id: 'ThreeDsSession' });

/** Client libraries look for the members of the method and the version here, too. */
export const CreatedThreeDsSession = Type.Object(
  { ...session, cardBrand: text, method_url: text, recommended_version: text },
  { $id: 'CreatedThreeDsSession' },
);
