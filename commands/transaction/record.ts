import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import type { Executed } from '#commands/execute.ts';
import { transactionStream } from '#domain/transaction/events.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import { recordOutcome as decide } from '#domain/transaction/record.ts';
import type { Outcome } from '#domain/transaction/outcome.ts';
import type { TransactionState } from '#domain/transaction/state.ts';
import type { ExpectedRevision } from '#ports/eventLog.ts';
import { derivedId, randomId } from '#src/identifiers.ts';

export type CallOutcome = { transactionId: string; callId: string; outcome: Outcome };

/**
 * Writes down what became of a call; what was settled before stays unless money says otherwise.
 * @param known the transaction as it was when the call was made, which saves reading it
 * @throws NotFound, Conflicted, Unavailable
 */
export const recordOutcome = (
  dependencies: CommandDependencies,
  context: CommandContext,
  { transactionId, callId, outcome }: CallOutcome,
  known?: { state: TransactionState; revision: ExpectedRevision },
): Promise<Executed<TransactionState>> =>
  execute(
    dependencies,
    // The call decides what is a repetition here: one command may learn of more than one outcome.
    { ...context, commandId: randomId(), repeated: false },
    {
      stream: transactionStream(context.tenantId, transactionId),
      fold: transactionFold,
      ...(known === undefined ? {} : { known }),
      decide: (state) => decide(state, callId, outcome, derivedId(callId, 'reversal')),
    },
  );
