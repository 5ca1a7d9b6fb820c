import { transformFor } from '#access/evaluate.ts';
import { showToken } from '#access/showToken.ts';
import type { ShownToken } from '#access/showToken.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import type { Seeker } from '#queries/token/find.ts';
import { tokenOf } from '#queries/token/row.ts';
import type { TokenRow } from '#queries/token/row.ts';

/**
 * Found tokens, each under the caller's transform. Those whose payload is gone were deleted or replaced
 * meanwhile; they are left out.
 */
export async function showAll(
  { vault }: Pick<QueryDependencies, 'vault'>,
  { tenantId, rights, permission }: Seeker,
  rows: readonly TokenRow[],
): Promise<ShownToken[]> {
  if (rows.length === 0) return [];
  const payloads = await vault.read(
    tenantId,
    rows.map((row) => row.payload_id),
  );
  const shown = await Promise.all(
    rows.map(async (row) => {
      const token = tokenOf(row);
      const payload = payloads.get(token.payloadId);
      const transform = transformFor(rights, permission, token);
      return payload === undefined || transform === undefined
        ? undefined
        : showToken(token, payload, transform);
    }),
  );
  return shown.filter((token) => token !== undefined);
}
