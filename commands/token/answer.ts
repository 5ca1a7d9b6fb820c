import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import type { Executed } from '#commands/execute.ts';
import type { PreparedToken } from '#commands/token/prepare.ts';
import { transformFor } from '#access/evaluate.ts';
import { maskData, showToken } from '#access/showToken.ts';
import type { ShownToken } from '#access/showToken.ts';
import type { LiveToken, TokenState } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';
import { maskMayUse } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';
import { NotFound } from '#src/errors.ts';

/**
 * What a create or an update answers: the token with its data masked, whatever the caller may read, or without data
 * where the rule that granted it redacts. spec: Token
 * @param isHidden no data in any case
 */
export async function answerOf(
  { vault }: Pick<CommandDependencies, 'vault'>,
  { rights }: CommandContext,
  permission: 'token:create' | 'token:update',
  executed: Executed<TokenState>,
  written: Pick<PreparedToken, 'data' | 'secret'>,
  isHidden = false,
): Promise<ShownToken> {
  const token = executed.state;
  if (token.status !== 'live') throw new NotFound();
  const transform = isHidden || transformFor(rights, permission, token) === 'redact' ? 'redact' : 'mask';
  const isTransient = mayShowShortLived(token);
  if (!executed.repeated) {
    const { fingerprint } = written.secret;
    const data = transform === 'redact' ? undefined : maskData(token, written.data);
    const isExisting = executed.position === undefined ? { isExisting: true as const } : {};
    return { token, transform, fingerprint, data, isTransient, ...isExisting };
  }
  // An earlier run of the command wrote, maybe something else: only the vault knows what.
  const payload = (await vault.read(token.tenantId, [token.payloadId])).get(token.payloadId);
  if (payload === undefined) throw new NotFound();
  return { ...(await showToken(token, payload, transform)), isTransient, isExisting: true };
}

function mayShowShortLived(token: LiveToken): boolean {
  const property = tokenTypeOf(token).shortLivedProperty;
  return property !== undefined && token.mask !== undefined && maskMayUse(token.mask as Json, property);
}
