import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';

/** What does not stand in the session's events. */
export type SessionExtras = {
  /** The cryptogram, if there is one. */
  value: string | undefined;
  /** Where the buyer answers to a challenge. */
  challengeUrl: string | undefined;
  publicUrl: string;
};

/** The one that the sandbox's servers speak. */
const version = { recommended_version: '2.2.0', available_versions: ['2.1.0', '2.2.0'] };

/** A session as it goes out. Source: reference of 3-D Secure. */
export const presentThreeDsSession = (session: LiveThreeDsSession, extras: SessionExtras): object =>
  withoutNulls({
    id: session.id,
    tenant_id: session.tenantId,
    token_id: session.tokenId,
    pan_token_id: session.tokenId,
    card_brand: session.cardBrand,
    expiration_date: session.expiresAt,
    created_date: session.createdAt,
    created_by: session.createdBy,
    modified_date: session.modifiedAt,
    modified_by: session.modifiedBy,
    device: session.device,
    version,
    method: withoutNulls({
      method_url: methodUrlOf(session, extras),
      method_completion_indicator:
        session.status === 'created' ? undefined : session.methodCompletionIndicator,
    }),
    authentication: session.status === 'created' ? undefined : presentAuthentication(session, extras),
  });

/** A new session, with the members that client libraries look for beside it. */
export const presentCreatedThreeDsSession = (session: LiveThreeDsSession, extras: SessionExtras): object =>
  withoutNulls({
    ...presentThreeDsSession(session, extras),
    cardBrand: session.cardBrand,
    method_url: methodUrlOf(session, extras),
    recommended_version: version.recommended_version,
  });

const methodUrlOf = ({ methodUrl }: LiveThreeDsSession, { publicUrl }: SessionExtras): string | undefined =>
  methodUrl === undefined ? undefined : `${publicUrl}${methodUrl}`;

/** What the authentication of a session brought. */
export function presentAuthentication(
  { id, tokenId, authentication }: Exclude<LiveThreeDsSession, { status: 'created' }>,
  { value, challengeUrl }: SessionExtras,
): object {
  const { challenge_attempts: attempts } = authentication;
  return withoutNulls({
    session_id: id,
    token_id: tokenId,
    pan_token_id: tokenId,
    ...authentication,
    acs_challenge_url: challengeUrl,
    // Client libraries read it as a text.
    challenge_attempts: attempts === undefined ? undefined : String(attempts),
    payload_id: undefined,
    authentication_value: value,
  });
}
