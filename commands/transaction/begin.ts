import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import type { Executed } from '#commands/execute.ts';
import { createTransaction } from '#domain/transaction/decide.ts';
import type { NewTransaction } from '#domain/transaction/decide.ts';
import { transactionStream } from '#domain/transaction/events.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import type { TransactionState } from '#domain/transaction/state.ts';
import type { JsonObject } from '#ports/json.ts';
import { derivedId } from '#src/identifiers.ts';

export type Beginning = {
  transaction: NewTransaction;
  /** Under which the provider hears of the authorization. */
  callId: string;
  /** What transactions show of the card, for as long as they are kept. */
  face: JsonObject;
};

/**
 * Writes down that a card is about to be authorized: durable before anybody outside hears of it.
 * @throws ValidationFailed, Conflicted, Unavailable
 */
export function beginTransaction(
  dependencies: CommandDependencies,
  context: CommandContext,
  { transaction, callId, face }: Beginning,
): Promise<Executed<TransactionState>> {
  const { tenantId, commandId } = context;
  const stream = transactionStream(tenantId, transaction.id);
  const payloadId = derivedId(commandId, stream, 'face');
  return execute(dependencies, context, {
    stream,
    fold: transactionFold,
    expectNew: true,
    decide: async (state) => {
      const decision = createTransaction(state, { ...transaction, payload_id: payloadId }, callId);
      if (!('refused' in decision)) {
        await dependencies.vault.store({ id: payloadId, tenantId, stream, data: face });
      }
      return decision;
    },
  });
}
