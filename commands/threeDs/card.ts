import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { recordTokenUse } from '#commands/recordUse.ts';
import { loadStream } from '#commands/stream.ts';
import { tokenStream } from '#domain/token/events.ts';
import { tokenFold } from '#domain/token/state.ts';
import type { Audit } from '#ports/audit.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';
import { hasExpired } from '#src/expiry.ts';
import { readTokenPayload } from '#src/payloads.ts';

export type ThreeDsDependencies = CommandDependencies & { audit: Audit };

/**
 * The number of the card that is to be authenticated, for this process alone: its use is audited, and nothing of it
 * is shown.
 * @throws NotFound, ValidationFailed for a token of another type
 */
export async function cardNumberIn(
  { log, vault, clock, audit }: ThreeDsDependencies,
  context: CommandContext,
  tokenId: string,
): Promise<string> {
  const { tenantId } = context;
  const { state } = await loadStream(log, tokenStream(tenantId, tokenId), tokenFold);
  if (state.status !== 'live' || hasExpired(state, clock)) throw new NotFound();
  if (state.type !== 'card') {
    throw new ValidationFailed({ token_id: ["must name a token of the type 'card'"] });
  }
  const payload = await readTokenPayload(vault, state);
  if (payload === undefined) throw new NotFound();
  await recordTokenUse({ audit, clock }, context, state.id, 'redact');
  return ((await payload.data()) as { number: string }).number;
}
