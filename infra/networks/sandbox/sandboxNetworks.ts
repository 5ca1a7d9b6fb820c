import { testCards } from '#infra/networks/sandbox/testCards.ts';
import type { CardAnswer, CardInquiry, CardNetworks } from '#ports/cardNetworks.ts';

/** Networks that know the test cards, whatever their expiration, and have nothing to say of any other. */
export function createSandboxNetworks(): CardNetworks {
  return {
    ask: ({ cards }, signal) => {
      signal?.throwIfAborted();
      return Promise.resolve({ status: 'answered', answers: cards.map(answerTo) });
    },
  };
}

function answerTo({ number, expiration }: CardInquiry): CardAnswer {
  const card = testCards.get(number);
  if (card === undefined) return { code: undefined };
  return card.expiration === 'later'
    ? { ...card, expiration: { ...expiration, year: expiration.year + 3 } }
    : { ...card, expiration: card.expiration };
}
