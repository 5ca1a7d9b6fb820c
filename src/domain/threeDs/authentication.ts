import type { Authentication } from '#domain/threeDs/events.ts';
import { eciOf } from '#domain/threeDs/testCards.ts';
import type { TestCard } from '#domain/threeDs/testCards.ts';
import { isOpenStatus } from '#domain/threeDs/vocabulary.ts';
import type { AuthenticationStatus } from '#domain/threeDs/vocabulary.ts';

/** What the sandbox's servers say for themselves. */
type Transaction = { acsTransactionId: string; dsTransactionId: string; cardBrand: string | undefined };

/** How the sandbox answers to a request for an authentication. */
export function firstAnswer(card: TestCard, transaction: Transaction): Authentication {
  const { challenge, error } = card;
  if (challenge === undefined) {
    const answer = answerOf(card.frictionless ?? 'successful', transaction);
    return error === undefined ? answer : { ...answer, error_data: error };
  }
  return {
    ...answerOf('challenge', transaction),
    acs_challenge_mandated: challenge.mandated ? 'Y' : 'N',
    authentication_challenge_type: challenge.type,
    challenge_attempts: 0,
  };
}

/** How it answers when the buyer has answered to a challenge, or closed it. */
export function answerAfterChallenge(
  before: Authentication,
  card: TestCard,
  { cardBrand, cancelled }: { cardBrand: string | undefined; cancelled: boolean },
): Authentication {
  const status = cancelled ? 'failed' : (card.challenge?.result ?? 'successful');
  return {
    ...before,
    authentication_status: status,
    ...indicator(status, cardBrand),
    challenge_attempts: (before.challenge_attempts ?? 0) + 1,
  };
}

/** Whether it comes with a cryptogram that a payment is made with. */
export const earnsValue = ({ authentication_status: status }: Authentication): boolean =>
  status === 'successful' || status === 'attempted';

function answerOf(status: AuthenticationStatus, transaction: Transaction): Authentication {
  return {
    threeds_version: '2.2.0',
    acs_transaction_id: transaction.acsTransactionId,
    ds_transaction_id: transaction.dsTransactionId,
    acs_reference_number: 'ACS-SANDBOX',
    ds_reference_number: 'DS-SANDBOX',
    authentication_status: status,
    ...indicator(status, transaction.cardBrand),
  };
}

function indicator(status: AuthenticationStatus, cardBrand: string | undefined): { eci?: string } {
  const eci = isOpenStatus(status) ? undefined : eciOf(status, cardBrand);
  return eci === undefined ? {} : { eci };
}
