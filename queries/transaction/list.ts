import type { Grant } from '#access/evaluate.ts';
import type { TransactionStatus } from '#domain/transaction/vocabulary.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import type { Place } from '#queries/token/filter.ts';
import { transactionColumns, transactionOf } from '#queries/transaction/row.ts';
import type { TransactionRow, TransactionSummary } from '#queries/transaction/row.ts';

/** What a list is narrowed to; members that are missing do not narrow it. */
export type TransactionFilter = {
  status?: TransactionStatus | undefined;
  connectionId?: string | undefined;
  tokenId?: string | undefined;
  externalIdentifier?: string | undefined;
  connectionTransactionId?: string | undefined;
  id?: string | undefined;
  /** Payments of which a caller has a permission for the token; by default all. */
  grants?: readonly (readonly Grant[])[] | undefined;
};

/** Some transactions of a list, and where to go on; `next` is undefined at its end. */
export type TransactionStretch = { items: TransactionSummary[]; next: Place | undefined };

const columns: Readonly<Record<Exclude<keyof TransactionFilter, 'grants'>, string>> = {
  status: 'status',
  connectionId: 'connection_id',
  tokenId: 'token_id',
  externalIdentifier: 'external_identifier',
  connectionTransactionId: 'connection_transaction_id',
  id: 'id',
};

/** The transactions after a place in the list, newest first: what is added meanwhile moves nothing. */
export async function listTransactions(
  { readModels }: Pick<QueryDependencies, 'readModels'>,
  tenantId: string,
  { grants = [], ...filter }: TransactionFilter,
  { start, size }: { start: Place | undefined; size: number },
): Promise<TransactionStretch> {
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  const values: unknown[] = wanted.map(([, value]) => value);
  // A statement for each set of filters: of one for all of them, the planner would not know which index fits.
  const conditions = wanted.map(
    ([name], index) => `and transaction.${columns[name as keyof typeof columns]} = $${index + 2}`,
  );
  if (start !== undefined) {
    values.push(start.createdAt, start.ordinal);
    const [createdAt, ordinal] = [values.length, values.length + 1];
    conditions.push(`and (transaction.created_at, transaction.ordinal) < ($${createdAt}, $${ordinal})`);
  }
  if (grants.length > 0) {
    values.push(JSON.stringify(grants));
    conditions.push(`and ${isGranted(`$${values.length + 1}::jsonb`)}`);
  }
  const names = wanted.map(([name]) => name).join(' ');
  const found = await readModels.rows<TransactionRow>(
    tenantId,
    {
      name: `transactions by ${names}${start === undefined ? '' : ' after'}${grants.length > 0 ? ' granted' : ''}`,
      text: `select ${transactionColumns} from read_models.transactions as transaction
        where transaction.tenant_id = tenant.id ${conditions.join(' ')}
        order by transaction.created_at desc, transaction.ordinal desc limit $${values.length + 2}`,
    },
    [...values, size + 1],
  );
  const last = found.length > size ? found.at(size - 1) : undefined;
  return {
    items: found.slice(0, size).map(transactionOf),
    next: last && { createdAt: last.created_at.toISOString(), ordinal: last.ordinal },
  };
}

/** Of each list, one grant whose conditions all hold. */
const isGranted = (grants: string): string => `not exists (
    select from jsonb_array_elements(${grants}) as list
    where not exists (
      select from jsonb_array_elements(list) as one
      where not exists (
        select from jsonb_to_recordset(one) as wanted(attribute text, operator text, value text)
        where not exists (
          select from unnest(case wanted.attribute
            when 'container' then transaction.token_containers else array[transaction.token_id] end) as held
          where case wanted.operator
            when 'equals' then held = wanted.value else starts_with(held, wanted.value) end))))`;
