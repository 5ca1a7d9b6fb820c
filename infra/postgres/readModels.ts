import { createHash } from 'node:crypto';
import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { tenantScoped } from '#infra/postgres/tenantScoped.ts';
import { StoreUnavailable } from '#ports/readModels.ts';
import type { KeyedQuery, ReadModels, TenantQuery } from '#ports/readModels.ts';
import { errno } from '#src/errno.ts';

type Waiting = {
  key: string;
  resolve(row: { key: string } | undefined): void;
  reject(error: unknown): void;
};

/** Reads views as a role that row-level security binds. */
export function createReadModels(pool: pg.Pool): ReadModels {
  const statements = new Map<string, { name: string; text: string }>();
  const gathering = new Map<string, Waiting[]>();

  const statementOf = (query: TenantQuery): { name: string; text: string } => {
    let statement = statements.get(query.name);
    if (statement === undefined) {
      statement = { name: statementName(query.name), text: tenantScoped(query.text) };
      statements.set(query.name, statement);
    }
    return statement;
  };

  const rows = <Row extends object>(
    tenantId: string,
    query: TenantQuery,
    values: readonly unknown[] = [],
  ): Promise<Row[]> =>
    reachable(async () => {
      const answer = await pool.query<Row>({ ...statementOf(query), values: [tenantId, ...values] });
      return answer.rows;
    }).catch((error: unknown) => {
      if (isBeingBuilt(error)) throw new StoreUnavailable('the views are being built', { cause: error });
      throw error;
    });

  const answerAll = async (tenantId: string, query: KeyedQuery, waiting: Waiting[]): Promise<void> => {
    try {
      const keys = [...new Set(waiting.map(({ key }) => key))];
      const found = await rows<{ key: string }>(tenantId, query, [keys]);
      const byKey = new Map(found.map((row) => [row.key, row]));
      for (const { key, resolve } of waiting) resolve(byKey.get(key));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  };

  const row = <Row extends { key: string }>(
    tenantId: string,
    query: KeyedQuery,
    key: string,
  ): Promise<Row | undefined> =>
    new Promise<{ key: string } | undefined>((resolve, reject) => {
      const group = `${query.name} ${tenantId}`;
      const waiting = gathering.get(group);
      if (waiting !== undefined) {
        waiting.push({ key, resolve, reject });
        return;
      }
      const started: Waiting[] = [{ key, resolve, reject }];
      gathering.set(group, started);
      // Requests that arrived in this turn of the event loop share the statement.
      setImmediate(() => {
        gathering.delete(group);
        void answerAll(tenantId, query, started);
      });
      // Each query says what its rows are made of.
    }) as Promise<Row | undefined>;

  return { rows, row };
}

/** PostgreSQL tells statements apart by the first 63 characters of their names. */
const longestName = 63;

const statementName = (name: string): string =>
  name.length <= longestName ? name : createHash('sha256').update(name).digest('base64url');

/**
 * On a new database the first worker makes the tables, and after an update of the code it makes those of a new
 * version; requests may come before it has.
 */
const isBeingBuilt = (error: unknown): boolean => ['42P01', '42703'].includes(errno(error) ?? '');
