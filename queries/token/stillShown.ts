import { hasExpired } from '#src/expiry.ts';
import { lesser } from '#access/accessRule.ts';
import type { Transform } from '#access/accessRule.ts';
import { containersDenied, transformOfWritten } from '#access/evaluate.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { foldToken } from '#queries/token/get.ts';
import type { Reader } from '#queries/token/get.ts';
import { Forbidden, NotFound } from '#src/errors.ts';

/**
 * Makes sure that an answer which was kept may be shown again: its tokens are there, and the caller may still see
 * as much of them.
 * @throws NotFound, Forbidden
 */
export async function requireStillShown(
  { log, clock }: Pick<QueryDependencies, 'log' | 'clock'>,
  { tenantId, rights }: Reader,
  permission: 'token:create' | 'token:update',
  tokens: readonly { id: string; transform: Transform }[],
): Promise<void> {
  const states = await Promise.all(tokens.map(({ id }) => foldToken({ log }, tenantId, id)));
  for (const [index, { id, transform }] of tokens.entries()) {
    const state = states[index];
    if (state?.status !== 'live' || hasExpired(state, clock)) throw new NotFound().about(id);
    const now = transformOfWritten(rights, permission, state);
    const isDenied = containersDenied(rights, permission, state).length > 0;
    if (isDenied || now === undefined || lesser(now, transform) !== transform) {
      throw new Forbidden(`${permission} is not granted for this token any more.`).about(id);
    }
  }
}
