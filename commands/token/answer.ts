import type { CommandDependencies } from '#commands/context.ts';
import type { Executed } from '#commands/execute.ts';
import type { PreparedToken } from '#commands/token/prepare.ts';
import { maskData, showToken } from '#access/showToken.ts';
import type { ShownToken } from '#access/showToken.ts';
import type { TokenState } from '#domain/token/state.ts';
import { NotFound } from '#src/errors.ts';

/** What a create or an update answers: the token with its data masked, always. spec: Token */
export async function answerOf(
  { vault }: Pick<CommandDependencies, 'vault'>,
  executed: Executed<TokenState>,
  written: Pick<PreparedToken, 'data' | 'secret'>,
): Promise<ShownToken> {
  const token = executed.state;
  if (token.status !== 'live') throw new NotFound();
  if (!executed.repeated) {
    return { token, fingerprint: written.secret.fingerprint, data: maskData(token, written.data) };
  }
  // An earlier run of the command wrote, maybe something else: only the vault knows what.
  const payload = (await vault.read(token.tenantId, [token.payloadId])).get(token.payloadId);
  if (payload === undefined) throw new NotFound();
  return showToken(token, payload, 'mask');
}
