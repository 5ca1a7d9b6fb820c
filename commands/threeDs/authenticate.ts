import type { CommandContext, Outcome } from '#commands/context.ts';
import { noteAnswer } from '#commands/threeDs/answer.ts';
import type { ThreeDsDependencies } from '#commands/threeDs/card.ts';
import { firstAnswer } from '#domain/threeDs/authentication.ts';
import { authenticateSession as decide } from '#domain/threeDs/decide.ts';
import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import type { MethodIndicator } from '#domain/threeDs/vocabulary.ts';
import { Conflicted } from '#src/errors.ts';
import { isPast } from '#src/expiry.ts';
import { derivedId } from '#src/identifiers.ts';

/**
 * Has the holder of a card authenticated, by the sandbox's test cards. Source: reference of 3-D Secure
 * @throws NotFound, Conflicted when that was done before, Unavailable
 */
export const authenticateThreeDsSession = (
  dependencies: ThreeDsDependencies,
  context: CommandContext,
  id: string,
  given: MethodIndicator | undefined,
): Promise<Outcome<LiveThreeDsSession>> =>
  noteAnswer(dependencies, context, id, {
    answer: (session, card) =>
      session.status === 'created'
        ? firstAnswer(card, {
            acsTransactionId: derivedId(context.commandId, id, 'acs'),
            dsTransactionId: derivedId(context.commandId, id, 'ds'),
            cardBrand: session.cardBrand,
          })
        : undefined,
    decide: (session, card, authentication) => {
      if (authentication === undefined) throw new Conflicted('The session has been authenticated already.');
      const methodCompletionIndicator = card.hasMethod ? (given ?? 'Y') : 'U';
      const isOver = (time: string): boolean => isPast(time, dependencies.clock);
      return decide(session, { authentication, methodCompletionIndicator }, isOver);
    },
  });
