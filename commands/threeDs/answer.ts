import { createHash } from 'node:crypto';
import type { CommandContext, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { cardNumberIn } from '#commands/threeDs/card.ts';
import type { ThreeDsDependencies } from '#commands/threeDs/card.ts';
import type { Decision } from '#domain/event.ts';
import { earnsValue } from '#domain/threeDs/authentication.ts';
import { threeDsSessionStream } from '#domain/threeDs/events.ts';
import type { Authentication, ThreeDsSessionEvent } from '#domain/threeDs/events.ts';
import { threeDsSessionFold } from '#domain/threeDs/state.ts';
import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import { testCardOf } from '#domain/threeDs/testCards.ts';
import type { TestCard } from '#domain/threeDs/testCards.ts';
import { NotFound } from '#src/errors.ts';
import { isPast } from '#src/expiry.ts';
import { derivedId } from '#src/identifiers.ts';

type Answering = {
  /** What the servers say, or undefined: it is not the time for it, and the decision will say so. */
  answer(session: LiveThreeDsSession, card: TestCard): Authentication | undefined;
  decide(
    session: LiveThreeDsSession,
    card: TestCard,
    answer: Authentication | undefined,
  ): Decision<ThreeDsSessionEvent>;
};

/**
 * Notes what the servers of 3-D Secure say of a session; a cryptogram lies in the vault for as long as the session.
 * @throws NotFound, Conflicted, Unavailable
 */
export async function noteAnswer(
  dependencies: ThreeDsDependencies,
  context: CommandContext,
  id: string,
  { answer, decide }: Answering,
): Promise<Outcome<LiveThreeDsSession>> {
  const { vault, clock } = dependencies;
  const { tenantId, commandId } = context;
  const stream = threeDsSessionStream(tenantId, id);
  const payloadIdAt = (revision: bigint | 'none'): string =>
    derivedId(commandId, stream, revision, 'payload');
  const { state, position } = await execute(dependencies, context, {
    stream,
    fold: threeDsSessionFold,
    decide: async (session, revision) => {
      if (session.status === 'absent' || isPast(session.expiresAt, clock)) throw new NotFound();
      const card = testCardOf(await cardNumberIn(dependencies, context, session.tokenId));
      const said = answer(session, card);
      if (said === undefined || !earnsValue(said)) return decide(session, card, said);
      const payloadId = payloadIdAt(revision);
      await vault.store({
        id: payloadId,
        tenantId,
        stream,
        data: cryptogramOf(payloadId),
        expiresAt: new Date(session.expiresAt),
      });
      return decide(session, card, { ...said, payload_id: payloadId });
    },
    discard: (revision) => vault.remove(tenantId, [payloadIdAt(revision)]),
  });
  if (state.status === 'absent') throw new NotFound();
  return settle(dependencies, position, state);
}

/** Twenty bytes, as networks make them; the sandbox's opens nothing anywhere. */
const cryptogramOf = (payloadId: string): string => createHash('sha1').update(payloadId).digest('base64');
