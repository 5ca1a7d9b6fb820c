import type { CommandDependencies } from '#commands/context.ts';
import type { Executed } from '#commands/execute.ts';
import type { PreparedToken } from '#commands/token/prepare.ts';
import { maskData, showToken } from '#access/showToken.ts';
import type { ShownToken } from '#access/showToken.ts';
import type { LiveToken, TokenState } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';
import { maskMayUse } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';
import { NotFound } from '#src/errors.ts';

/** What a create or an update answers: the token with its data masked, always. spec: Token */
export async function answerOf(
  { vault }: Pick<CommandDependencies, 'vault'>,
  executed: Executed<TokenState>,
  written: Pick<PreparedToken, 'data' | 'secret'>,
): Promise<ShownToken> {
  const token = executed.state;
  if (token.status !== 'live') throw new NotFound();
  const isTransient = mayShowShortLived(token);
  if (!executed.repeated) {
    const { fingerprint } = written.secret;
    return { token, transform: 'mask', fingerprint, data: maskData(token, written.data), isTransient };
  }
  // An earlier run of the command wrote, maybe something else: only the vault knows what.
  const payload = (await vault.read(token.tenantId, [token.payloadId])).get(token.payloadId);
  if (payload === undefined) throw new NotFound();
  return { ...(await showToken(token, payload, 'mask')), isTransient };
}

function mayShowShortLived(token: LiveToken): boolean {
  const property = tokenTypeOf(token).shortLivedProperty;
  return property !== undefined && token.mask !== undefined && maskMayUse(token.mask as Json, property);
}
