import type { CommandContext, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { cardNumberIn } from '#commands/threeDs/card.ts';
import type { ThreeDsDependencies } from '#commands/threeDs/card.ts';
import { createThreeDsSession as decide } from '#domain/threeDs/decide.ts';
import { threeDsSessionStream } from '#domain/threeDs/events.ts';
import { threeDsSessionFold } from '#domain/threeDs/state.ts';
import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import type { Device } from '#domain/threeDs/vocabulary.ts';
import { testCardOf } from '#domain/threeDs/testCards.ts';
import { cardSchemeOf } from '#domain/token/cardScheme.ts';
import { NotFound } from '#src/errors.ts';
import { resourceId } from '#src/identifiers.ts';
import { methodPath } from '#src/orchestration/challengePage.ts';

/** In milliseconds. Source: reference of 3-D Secure, example of a session. */
const lifetime = 24 * 60 * 60_000;

/**
 * Opens a session in which the holder of a card is authenticated. Source: reference of 3-D Secure
 * @throws NotFound, ValidationFailed, Conflicted, Unavailable
 */
export async function createThreeDsSession(
  dependencies: ThreeDsDependencies,
  context: CommandContext,
  { tokenId, device }: { tokenId: string; device: Device },
): Promise<Outcome<LiveThreeDsSession>> {
  const { tenantId, commandId } = context;
  const number = await cardNumberIn(dependencies, context, tokenId);
  const cardBrand = cardSchemeOf(number);
  const id = resourceId(commandId, '3ds session');
  const { state, position } = await execute(dependencies, context, {
    stream: threeDsSessionStream(tenantId, id),
    fold: threeDsSessionFold,
    expectNew: true,
    decide: (session) =>
      decide(session, {
        id,
        token_id: tokenId,
        ...(cardBrand === undefined ? {} : { card_brand: cardBrand }),
        device,
        ...(testCardOf(number).hasMethod ? { method_url: methodPath } : {}),
        expires_at: new Date(dependencies.clock.now().getTime() + lifetime).toISOString(),
      }),
  });
  if (state.status === 'absent') throw new NotFound();
  return settle(dependencies, position, state);
}
