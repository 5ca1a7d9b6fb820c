import { foldStream } from '#domain/fold.ts';
import { transactionStream } from '#domain/transaction/events.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import type { Refund, Transaction } from '#domain/transaction/state.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { rowByKey } from '#ports/readModels.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';

/** One transaction, by its stream: what is asked about money must not be late. @throws NotFound */
export async function getTransaction(
  { log }: Pick<QueryDependencies, 'log'>,
  tenantId: string,
  id: string,
): Promise<Transaction> {
  if (!isUuid(id)) throw new NotFound();
  const stream = transactionStream(tenantId, id.toLowerCase());
  const state = foldStream(transactionFold, await log.readStream(stream));
  if (state.status === 'absent') throw new NotFound();
  return state;
}

const byRefund: KeyedQuery = {
  name: 'transaction_of_refund',
  text: `select refund.id::text as key, refund.transaction_id from unnest($2::uuid[]) as wanted (id)
    cross join ${rowByKey('read_models.transaction_refunds', 'wanted.id')} as refund`,
};

/** One refund, with its transaction. @throws NotFound */
export async function getRefund(
  dependencies: Pick<QueryDependencies, 'log' | 'readModels'>,
  tenantId: string,
  id: string,
): Promise<{ transaction: Transaction; refund: Refund }> {
  if (!isUuid(id)) throw new NotFound();
  const key = id.toLowerCase();
  const row = await dependencies.readModels.row<{ key: string; transaction_id: string }>(
    tenantId,
    byRefund,
    key,
  );
  if (row === undefined) throw new NotFound();
  const transaction = await getTransaction(dependencies, tenantId, row.transaction_id);
  const refund = transaction.refunds.find((one) => one.id === key);
  if (refund === undefined) throw new NotFound();
  return { transaction, refund };
}
