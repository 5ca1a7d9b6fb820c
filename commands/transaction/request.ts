import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import type { Executed } from '#commands/execute.ts';
import type { Decision } from '#domain/event.ts';
import { transactionStream } from '#domain/transaction/events.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import type { TransactionState } from '#domain/transaction/state.ts';

/**
 * Writes down that a transaction is about to be captured, voided or refunded, before the provider hears of it.
 * @throws NotFound, ValidationFailed, Conflicted, Unavailable
 */
export const requestStep = (
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  decide: (state: TransactionState) => Decision<TransactionEvent>,
): Promise<Executed<TransactionState>> =>
  execute(dependencies, context, {
    stream: transactionStream(context.tenantId, id),
    fold: transactionFold,
    decide,
  });
