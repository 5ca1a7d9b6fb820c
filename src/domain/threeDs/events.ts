import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';
import {
  authenticationStatuses,
  challengeTypes,
  devices,
  methodIndicators,
} from '#domain/threeDs/vocabulary.ts';

export const threeDsSessionStream = (tenantId: string, id: string): string =>
  `threeDsSession-${tenantId}.${id}`;

const extra = Type.Record(Type.String(), Type.Unknown());

/** What the issuer's access control server said. */
export const Authentication = Type.Object({
  threeds_version: Type.Optional(Type.String()),
  acs_transaction_id: Type.Optional(Type.String()),
  ds_transaction_id: Type.Optional(Type.String()),
  acs_reference_number: Type.Optional(Type.String()),
  ds_reference_number: Type.Optional(Type.String()),
  authentication_status: Type.Enum([...authenticationStatuses]),
  authentication_status_reason: Type.Optional(Type.String()),
  eci: Type.Optional(Type.String()),
  acs_challenge_mandated: Type.Optional(Type.Enum(['Y', 'N'])),
  authentication_challenge_type: Type.Optional(Type.Enum([...challengeTypes])),
  acs_challenge_url: Type.Optional(Type.String()),
  challenge_attempts: Type.Optional(Type.Integer({ minimum: 0 })),
  error_data: Type.Optional(
    Type.Object({ description: Type.String(), detail: extra, code: Type.String(), component: extra }),
  ),
  /** Where the vault keeps the authentication value: a cryptogram that payments are made with. */
  payload_id: Type.Optional(Type.String()),
});
export type Authentication = Static<typeof Authentication>;

export const ThreeDsSessionCreated = Type.Object({
  id: Type.String(),
  token_id: Type.String(),
  card_brand: Type.Optional(Type.String()),
  device: Type.Enum([...devices]),
  method_url: Type.Optional(Type.String()),
  /** ISO 8601. */
  expires_at: Type.String(),
});
export const ThreeDsSessionAuthenticated = Type.Object({
  id: Type.String(),
  method_completion_indicator: Type.Enum([...methodIndicators]),
  authentication: Authentication,
});
/** The result of a challenge; `cancelled` by a buyer who closed it. */
export const ThreeDsChallengeCompleted = Type.Object({
  id: Type.String(),
  authentication: Authentication,
  cancelled: Type.Boolean(),
});

export type ThreeDsSessionEvent =
  | DomainEvent<'3ds.session.created', Static<typeof ThreeDsSessionCreated>>
  | DomainEvent<'3ds.session.authenticated', Static<typeof ThreeDsSessionAuthenticated>>
  | DomainEvent<'3ds.session.challenge-completed', Static<typeof ThreeDsChallengeCompleted>>;
