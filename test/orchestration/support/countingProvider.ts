import type { Declined, Pending, ProviderOutcome, Succeeded } from '#ports/paymentOutcome.ts';
import type { Finding, Notice, PaymentProvider, Question } from '#ports/paymentProvider.ts';
import { seededRandom } from '#src/seededRandom.ts';

type Outcome = Succeeded | Pending | Declined;

export type CountingProvider = PaymentProvider & {
  /** What was done, as often as it was done: one entry for each key that moved money. */
  done: { operation: string; reconciliationId: string; amount: number }[];
  /** Until then it does what it is asked, and knows nothing of it. */
  hide(): void;
  reveal(): void;
};

/** How long a provider may take to know of what it did, in milliseconds. */
const grace = 10_000;

/** Does what it is asked once for each key, counts, and, given a seed, loses answers now and then. */
export function createCountingProvider(seed: string | undefined, now: () => Date): CountingProvider {
  const random = seededRandom('provider', seed ?? '');
  const isLost = (): boolean => seed !== undefined && random(5) === 0;
  const byKey = new Map<string, Outcome>();
  const done: CountingProvider['done'] = [];
  let isHiding = false;
  const perform = (
    operation: string,
    key: string,
    reconciliationId: string,
    amount: number,
    captured: boolean,
  ): Promise<ProviderOutcome> => {
    let outcome = byKey.get(key);
    if (outcome === undefined) {
      outcome = {
        status: 'succeeded',
        amount,
        captured,
        facts: { transactionId: `paid-${reconciliationId}`, operationId: `op-${key}` },
      };
      byKey.set(key, outcome);
      done.push({ operation, reconciliationId, amount });
    }
    return Promise.resolve(isLost() || isHiding ? { status: 'unknown', reason: 'timeout' } : outcome);
  };
  const find = ({ idempotencyKey, since }: Question): Finding => {
    if (isLost()) return { status: 'undecided' };
    if (isHiding) return { status: 'not_found' };
    const outcome = byKey.get(idempotencyKey);
    if (outcome !== undefined) return { status: 'found', outcome };
    return now().getTime() - since.getTime() > grace ? { status: 'not_found' } : { status: 'undecided' };
  };
  return {
    done,
    hide: () => {
      isHiding = true;
    },
    reveal: () => {
      isHiding = false;
    },
    checkCredentials: () => Promise.resolve({ status: 'valid' }),
    authorize: ({ idempotencyKey, reconciliationId, money, intent }) =>
      perform('authorize', idempotencyKey, reconciliationId, money.amount, intent === 'capture'),
    capture: ({ idempotencyKey, payment, amount }) =>
      perform('capture', idempotencyKey, payment.reconciliationId, amount, true),
    void: ({ idempotencyKey, payment }) =>
      perform('void', idempotencyKey, payment.reconciliationId, payment.authorizedAmount, false),
    refund: ({ idempotencyKey, payment, amount }) =>
      perform('refund', idempotencyKey, payment.reconciliationId, amount, true),
    completeApproval: () => Promise.resolve({ status: 'unknown', reason: 'invalid_answer' }),
    find: (question) => Promise.resolve(find(question)),
    readNotification: ({ body }) => ({
      status: 'accepted',
      notices: [JSON.parse(new TextDecoder().decode(body)) as Notice],
      acknowledgement: 'ok',
    }),
  };
}
