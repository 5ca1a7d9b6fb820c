import type { CommandDependencies } from '#commands/context.ts';
import { loadStream } from '#commands/stream.ts';
import { transactionStream } from '#domain/transaction/events.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import type { Transaction } from '#domain/transaction/state.ts';
import { isUuid } from '#src/identifiers.ts';
import type { ExpectedRevision, Position } from '#ports/eventLog.ts';

export type LoadedTransaction = {
  state: Transaction;
  revision: ExpectedRevision;
  position: Position | undefined;
};

/** A transaction as its stream tells; undefined when there is none. */
export async function loadTransaction(
  { log }: Pick<CommandDependencies, 'log'>,
  tenantId: string,
  id: string,
): Promise<LoadedTransaction | undefined> {
  if (!isUuid(id)) return undefined;
  const stream = transactionStream(tenantId, id.toLowerCase());
  const { state, revision, last } = await loadStream(log, stream, transactionFold);
  return state.status === 'absent' ? undefined : { state, revision, position: last?.position };
}
