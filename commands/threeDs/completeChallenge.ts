import type { CommandContext, Outcome } from '#commands/context.ts';
import { noteAnswer } from '#commands/threeDs/answer.ts';
import type { ThreeDsDependencies } from '#commands/threeDs/card.ts';
import { answerAfterChallenge } from '#domain/threeDs/authentication.ts';
import { completeChallenge as decide } from '#domain/threeDs/decide.ts';
import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import { Conflicted } from '#src/errors.ts';
import { isPast } from '#src/expiry.ts';

/**
 * Ends the challenge of a session as its test card has it, or because the buyer closed it. Again it changes nothing.
 * @throws NotFound, Conflicted when there is no challenge, Unavailable
 */
export const completeThreeDsChallenge = (
  dependencies: ThreeDsDependencies,
  context: CommandContext,
  id: string,
  { cancelled }: { cancelled: boolean },
): Promise<Outcome<LiveThreeDsSession>> =>
  noteAnswer(dependencies, context, id, {
    answer: (session, card) =>
      session.status === 'challenged'
        ? answerAfterChallenge(session.authentication, card, { cardBrand: session.cardBrand, cancelled })
        : undefined,
    decide: (session, _, answered) => {
      const authentication = answered ?? (session.status === 'created' ? undefined : session.authentication);
      if (authentication === undefined) throw new Conflicted('The session has no challenge to complete.');
      const isOver = (time: string): boolean => isPast(time, dependencies.clock);
      return decide(session, { authentication, cancelled }, isOver);
    },
  });
