import { setTimeout as delay } from 'node:timers/promises';
import { lostAnswerAmount } from '#infra/providers/sandbox/amounts.ts';
import {
  approvalOf,
  authorizationOf,
  captureOf,
  refundOf,
  voidOf,
} from '#infra/providers/sandbox/outcomes.ts';
import type { SandboxOutcome } from '#infra/providers/sandbox/outcomes.ts';
import type { Clock } from '#ports/clock.ts';
import type { Unauthorized } from '#ports/paymentOutcome.ts';
import type { PaymentProvider, ProviderConnection, Question } from '#ports/paymentProvider.ts';

export type SandboxSettings = {
  clock: Clock;
  /** How long every call takes. */
  latencyMilliseconds: number;
  /** How long after a call what it left open is confirmed. */
  confirmationMilliseconds: number;
  /** Absolute URL of the page on which buyers approve; gets `payment` and `return_url` as parameters. */
  approvalPage: string;
};

const wrongCredentials: Unauthorized = { status: 'unauthorized', errorCode: 'invalid_service_credentials' };

/** A provider in this process that moves no money: what comes of a call is in its amount, card and code. */
export function createSandboxProvider(settings: SandboxSettings): PaymentProvider {
  const { clock, latencyMilliseconds } = settings;

  const approvalUrlOf = (transactionId: string, returnUrl: string): string => {
    const url = new URL(settings.approvalPage);
    url.searchParams.set('payment', transactionId);
    url.searchParams.set('return_url', returnUrl);
    return url.href;
  };

  const answer = async <Call extends { connection: ProviderConnection }, Outcome>(
    call: Call,
    outcomeOf: (call: Call, at: Date) => Outcome,
  ): Promise<Outcome | Unauthorized> => {
    if (latencyMilliseconds > 0) await delay(latencyMilliseconds);
    return isRefused(call.connection) ? wrongCredentials : outcomeOf(call, clock.now());
  };

  const outcomeOf = (question: Question): SandboxOutcome => {
    switch (question.operation) {
      case 'authorize':
        return authorizationOf(question, question.since, approvalUrlOf);
      case 'capture':
        return captureOf(question, question.since);
      case 'void':
        return voidOf(question, question.since);
      case 'refund':
        return refundOf(question, question.since);
    }
  };

  return {
    checkCredentials: (connection) => answer({ connection }, () => ({ status: 'valid' })),
    authorize: (call) =>
      answer(call, (it, at) =>
        it.money.amount === lostAnswerAmount
          ? { status: 'unknown', reason: 'timeout' }
          : authorizationOf(it, at, approvalUrlOf),
      ),
    completeApproval: (call) => answer(call, approvalOf),
    capture: (call) => answer(call, captureOf),
    void: (call) => answer(call, voidOf),
    refund: (call) => answer(call, refundOf),
    find: (question) =>
      answer(question, (it, at) => {
        const outcome = outcomeOf(it);
        const age = at.getTime() - it.since.getTime();
        const confirmed = age >= settings.confirmationMilliseconds;
        return { status: 'found', outcome: confirmed ? confirmedOf(it, outcome, at) : outcome };
      }),
    readNotification: () => ({ status: 'refused', reason: 'no_secret' }),
  };
}

const isRefused = ({ fields }: ProviderConnection): boolean => fields['merchant_id'] === 'fail';

/** What the sandbox left open succeeds with time; what the buyer has to do stays open. */
function confirmedOf(question: Question, outcome: SandboxOutcome, at: Date): SandboxOutcome {
  if (outcome.status !== 'pending' || outcome.waitingFor === 'buyer') return outcome;
  return {
    status: 'succeeded',
    facts: outcome.facts,
    amount: amountIn(question),
    captured: question.operation !== 'void',
    at: at.toISOString(),
  };
}

function amountIn(question: Question): number {
  if (question.operation === 'authorize') return question.money.amount;
  return question.operation === 'void' ? question.payment.authorizedAmount : question.amount;
}
