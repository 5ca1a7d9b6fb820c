import type { LiveToken } from '#domain/token/state.ts';
import { authorshipOf } from '#queries/authorship.ts';
import type { AuthorshipRow } from '#queries/authorship.ts';

/** A row of the view of tokens. */
export type TokenRow = AuthorshipRow & {
  key: string;
  tenant_id: string;
  type: string;
  payload_id: string;
  containers: string[];
  mask: unknown;
  metadata: Record<string, string> | null;
  search_indexes: string[] | null;
  fingerprint_expression: string;
  expires_at: string | null;
  ordinal: string;
};

export const tokenColumns = `token.id as key, token.tenant_id, token.type, token.payload_id, token.containers,
  token.mask, token.metadata, token.search_indexes, token.fingerprint_expression, token.expires_at,
  token.created_by, token.created_at, token.modified_by, token.modified_at, token.ordinal`;

export function tokenOf(row: TokenRow): LiveToken {
  return {
    status: 'live',
    id: row.key,
    tenantId: row.tenant_id,
    type: row.type,
    payloadId: row.payload_id,
    mask: row.mask ?? undefined,
    containers: row.containers,
    metadata: row.metadata ?? undefined,
    searchIndexes: row.search_indexes ?? undefined,
    fingerprintExpression: row.fingerprint_expression,
    expiresAt: row.expires_at ?? undefined,
    ...authorshipOf(row),
  };
}
