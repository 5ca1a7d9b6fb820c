import { setTimeout as delay } from 'node:timers/promises';
import type { CommandContext, Outcome as Answer } from '#commands/context.ts';
import { settle } from '#commands/settle.ts';
import type { LoadedTransaction } from '#commands/transaction/load.ts';
import type { Outcome } from '#domain/transaction/outcome.ts';
import type { Call, Transaction } from '#domain/transaction/state.ts';
import type { ProviderOutcome } from '#ports/paymentOutcome.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { noteOutcome } from '#src/orchestration/noteOutcome.ts';
import { outcomeOf } from '#src/orchestration/outcomes.ts';
import type { Surroundings } from '#src/orchestration/outcomes.ts';
import { resolveCall } from '#src/orchestration/resolve.ts';

/** So long a request waits for a provider, in milliseconds: less than the lease of an idempotency key. */
export const patience = 20_000;

/** Has a requested call carried out, and answers the transaction as it is then, or as it is so far. */
export function carryOut(
  dependencies: PaymentDependencies,
  context: CommandContext,
  opened: LoadedTransaction,
  callId: string,
  make: (transaction: Transaction, call: Call) => Promise<ProviderOutcome>,
  around: Pick<Surroundings, 'cvcWasSent'> = {},
): Promise<Answer<Transaction>> {
  return through(dependencies, context, opened, callId, async (transaction, call) => {
    const answer = await make(transaction, call);
    return outcomeOf(transaction, call, answer, { ...around, now: dependencies.clock.now() });
  });
}

/** As {@link carryOut}, for a request that came again: nobody knows how far the first one got. */
export const seeThrough = (
  dependencies: PaymentDependencies,
  context: CommandContext,
  opened: LoadedTransaction,
  callId: string,
): Promise<Answer<Transaction>> =>
  through(dependencies, context, opened, callId, (transaction, call) =>
    resolveCall(dependencies, context, transaction, call),
  );

async function through(
  dependencies: PaymentDependencies,
  context: CommandContext,
  opened: LoadedTransaction,
  callId: string,
  outcomeFor: (transaction: Transaction, call: Call) => Promise<Outcome | undefined>,
): Promise<Answer<Transaction>> {
  const { state } = opened;
  const call = state.calls.find(({ id }) => id === callId);
  if (call?.progress !== 'requested') return settle(dependencies, opened.position, state);
  const ended = record(dependencies, context, opened, call, outcomeFor);
  const stopped = new AbortController();
  try {
    const { state: after, position } = await Promise.race([
      ended,
      delay(patience, opened, { signal: stopped.signal, ref: false }),
    ]);
    return await settle(dependencies, position, after);
  } finally {
    stopped.abort();
  }
}

async function record(
  dependencies: PaymentDependencies,
  context: CommandContext,
  opened: LoadedTransaction,
  call: Call,
  outcomeFor: (transaction: Transaction, call: Call) => Promise<Outcome | undefined>,
): Promise<LoadedTransaction> {
  const { state } = opened;
  try {
    const outcome = await outcomeFor(state, call);
    if (outcome === undefined) return opened;
    const subject = { transactionId: state.id, callId: call.id, outcome };
    const recorded = await noteOutcome(dependencies, context, subject, opened);
    if (recorded.state.status === 'absent') return opened;
    return { ...recorded, state: recorded.state, position: recorded.position ?? opened.position };
  } catch (error) {
    // The call stays open, and is seen to later: what the client is told is true as far as it goes.
    dependencies.logger.warn({ err: error, id: state.id }, 'a call of a payment provider was left open');
    return opened;
  }
}
