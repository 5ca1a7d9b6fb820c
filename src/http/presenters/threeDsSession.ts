import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';

/** A session as it goes out. Source: reference of 3-D Secure. @param value the cryptogram, if there is one */
export const presentThreeDsSession = (session: LiveThreeDsSession, value: string | undefined): object =>
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
    version: session.status === 'created' ? undefined : session.authentication.threeds_version,
    method:
      session.status === 'created'
        ? undefined
        : { method_completion_indicator: session.methodCompletionIndicator },
    authentication: session.status === 'created' ? undefined : presentAuthentication(session, value),
  });

/** What the authentication of a session brought. */
export function presentAuthentication(
  { authentication }: Exclude<LiveThreeDsSession, { status: 'created' }>,
  value: string | undefined,
): object {
  return withoutNulls({ ...authentication, payload_id: undefined, authentication_value: value });
}
