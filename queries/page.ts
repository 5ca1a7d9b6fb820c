import type { Page, PageRequest } from '#queries/dependencies.ts';
import type { ReadModels } from '#ports/readModels.ts';

/** The rows that a list shows, all pages together. */
export type ListedRows = {
  /** Names the prepared statement. */
  name: string;
  columns: string;
  /** `from … where …`, which compares with `tenant.id`; the first of `values` is `$2`. */
  from: string;
  order: string;
  values: readonly unknown[];
};

/** A page of rows, and how many there are on all pages. @throws StoreUnavailable */
export async function readPage<Row extends object>(
  readModels: ReadModels,
  tenantId: string,
  { name, columns, from, order, values }: ListedRows,
  { page, size }: PageRequest,
): Promise<Page<Row>> {
  const limit = `limit $${values.length + 2} offset $${values.length + 3}`;
  const [items, counts] = await Promise.all([
    readModels.rows<Row>(tenantId, { name, text: `select ${columns} ${from} order by ${order} ${limit}` }, [
      ...values,
      size,
      (page - 1) * size,
    ]),
    readModels.rows<{ total: string }>(
      tenantId,
      { name: `${name}_count`, text: `select count(*) as total ${from}` },
      values,
    ),
  ]);
  return { items, totalItems: Number(counts[0]?.total ?? 0), page, size };
}
