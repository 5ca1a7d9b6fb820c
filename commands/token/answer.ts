import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import type { Executed } from '#commands/execute.ts';
import type { PreparedToken } from '#commands/token/prepare.ts';
import { lesser } from '#access/accessRule.ts';
import { transformOfWritten } from '#access/evaluate.ts';
import { isToldFingerprints, mayKnowFingerprint } from '#access/fingerprints.ts';
import { maskData, renderedAs, showToken } from '#access/showToken.ts';
import type { ShownToken } from '#access/showToken.ts';
import type { LiveToken, TokenState } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';
import { maskMayUse } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';
import { NotFound } from '#src/errors.ts';
import { readTokenPayload } from '#src/payloads.ts';

/**
 * What a create or an update answers: the token with its data masked, whatever the caller may read, or without data
 * where the rule that granted it redacts, or, after an update, the caller may not read the token. spec: Token
 */
export async function answerOf(
  { vault }: Pick<CommandDependencies, 'vault'>,
  { rights }: CommandContext,
  permission: 'token:create' | 'token:update',
  executed: Executed<TokenState>,
  written: Pick<PreparedToken, 'data' | 'secret'>,
): Promise<ShownToken> {
  const token = executed.state;
  if (token.status !== 'live') throw new NotFound();
  const own = transformOfWritten(rights, permission, token) ?? 'redact';
  const transform = lesser(own, 'mask');
  const isToldFingerprint = isToldFingerprints(rights) && mayKnowFingerprint(token, own);
  const isTransient = mayShowShortLived(token);
  if (!executed.repeated) {
    const fingerprint = isToldFingerprint ? written.secret.fingerprint : undefined;
    const data = transform === 'redact' ? undefined : maskData(token, written.data);
    return {
      token,
      transform,
      rendered: renderedAs(token, transform, written.data, data),
      fingerprint,
      data,
      isTransient,
      ...(permission === 'token:update' && data !== undefined ? { isStored: true } : {}),
      ...(executed.position === undefined ? { isExisting: true } : {}),
    };
  }
  // An earlier run of the command wrote, maybe something else: only the vault knows what.
  const payload = await readTokenPayload(vault, token);
  if (payload === undefined) throw new NotFound();
  const fingerprint = isToldFingerprint ? (payload.fingerprint ?? undefined) : undefined;
  return { ...(await showToken(token, payload, transform)), fingerprint, isTransient, isExisting: true };
}

function mayShowShortLived(token: LiveToken): boolean {
  const property = tokenTypeOf(token).shortLivedProperty;
  return property !== undefined && token.mask !== undefined && maskMayUse(token.mask as Json, property);
}
