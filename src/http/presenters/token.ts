import type { ShownToken } from '#access/showToken.ts';
import { privacyOf } from '#domain/token/privacy.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';

/** A token as it goes out. spec: Token */
export function presentToken({ token, fingerprint, data, isUnreadable }: ShownToken): object {
  if (isUnreadable === true) {
    const { id, type, tenantId: tenant_id, containers } = token;
    return withoutNulls({ id, type, tenant_id, fingerprint, containers });
  }
  return withoutNulls({
    id: token.id,
    type: token.type,
    tenant_id: token.tenantId,
    data,
    mask: token.mask,
    fingerprint,
    fingerprint_expression: token.fingerprintExpression,
    containers: token.containers,
    privacy: privacyOf(token),
    metadata: token.metadata,
    search_indexes: token.searchIndexes,
    expires_at: token.expiresAt,
    created_by: token.createdBy,
    created_at: token.createdAt,
    modified_by: token.modifiedBy,
    modified_at: token.modifiedAt,
  });
}
