import { transformFor } from '#access/evaluate.ts';
import { showToken } from '#access/showToken.ts';
import type { ShownToken } from '#access/showToken.ts';
import { jsonSize } from '#expressions/index.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import type { Seeker } from '#queries/token/find.ts';
import { tokenOf } from '#queries/token/row.ts';
import type { TokenRow } from '#queries/token/row.ts';
import { Unprocessable } from '#src/errors.ts';
import { tokenPayload } from '#src/payloads.ts';

/** Characters of data, as JSON, that the tokens of one answer show together; a token alone may show more. */
export const mostShown = 16_777_216;

/**
 * Found tokens, each under the caller's transform. Those whose payload is gone were deleted or replaced
 * meanwhile; they are left out.
 * @throws Unprocessable when they show more than one answer should hold
 */
export async function showAll(
  { vault }: Pick<QueryDependencies, 'vault'>,
  { tenantId, rights, permission }: Seeker,
  rows: readonly TokenRow[],
): Promise<ShownToken[]> {
  if (rows.length === 0) return [];
  const payloads = await vault.read(
    tenantId,
    rows.map(({ key, payload_id: payloadId }) => tokenPayload(tenantId, { id: key, payloadId })),
  );
  const all: ShownToken[] = [];
  let room = mostShown;
  // One after the other, so that nothing is decrypted which there is no room for.
  for (const [index, row] of rows.entries()) {
    const token = tokenOf(row);
    const payload = payloads[index];
    const transform = transformFor(rights, permission, token);
    if (payload === undefined || transform === undefined) continue;
    const shown = await showToken(token, payload, transform);
    if (shown.data !== undefined) room -= jsonSize(shown.data, room);
    if (room < 0 && rows.length > 1) throw tooMuch();
    all.push(shown);
  }
  return all;
}

const tooMuch = (): Unprocessable =>
  new Unprocessable(
    `These tokens show more than ${mostShown.toLocaleString('en-US')} characters of data together: ask for a smaller \`size\`.`,
  );
