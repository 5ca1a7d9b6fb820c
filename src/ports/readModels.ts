/** One statement over the read models, seen through row-level security of one tenant. */
export type TenantQuery = {
  /** Names the prepared statement. */
  name: string;
  /** A SELECT that compares with `tenant.id`; `$1` is taken, parameters start at `$2`. */
  text: string;
};

/** A {@link TenantQuery} by keys: `$2` is an array of them, and each row says its own in a column `key`. */
export type KeyedQuery = TenantQuery;

/**
 * SQL of a lookup of one row of the tenant by its id, to be cross joined. The planner does not know the tenant: where most
 * have few rows it would as soon read all rows of a tenant by whatever index begins with it, and look for the id in
 * them. Only the index of the key has the order that is asked for here, also while the statistics are those of a
 * smaller table; of an equality the order would be nothing.
 */
export const rowByKey = (table: string, id: string): string =>
  `lateral (
    select * from ${table} as held
    where held.tenant_id = tenant.id and held.id between ${id} and ${id} order by held.id limit 1
  )`;

export interface ReadModels {
  /** @throws StoreUnavailable */
  rows<Row extends object>(tenantId: string, query: TenantQuery, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * The row with a key. Concurrent calls for one tenant and query become one statement.
   * @throws StoreUnavailable
   */
  row<Row extends { key: string }>(
    tenantId: string,
    query: KeyedQuery,
    key: string,
  ): Promise<Row | undefined>;
}

/** Postgres cannot be reached, or did not answer in time. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
