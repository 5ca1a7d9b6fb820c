import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A prepared statement with its parameters. */
export type Statement = { name: string; text: string; values: unknown[] };
export type Queryable = Pick<pg.ClientBase, 'query'>;

const statementNames = new Map<string, string>();

/** Names a statement by its text, so that each connection plans it once. */
export function prepared(text: string, values: unknown[]): Statement {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `projection_${statementNames.size}`;
    statementNames.set(text, name);
  }
  return { name, text, values };
}

/** A connection of its own, which may hold locks. `lost` aborts when it breaks. */
export type Session = { client: pg.Client; lost: AbortSignal; end(): Promise<void> };

export async function openSession(
  connection: pg.ClientConfig,
  { pipeline, setup }: { pipeline: boolean; setup: string },
): Promise<Session> {
  const client = new pg.Client({
    ...connection,
    pipeline,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    // Only short statements are pipelined: an answer that takes longer will not come any more.
    ...(pipeline ? { query_timeout: 30_000 } : {}),
    application_name: `holdfast projections ${process.pid}`,
  });
  const lost = new AbortController();
  client.on('error', (error) => {
    lost.abort(error);
  });
  client.on('end', () => {
    lost.abort(new Error('the connection has ended'));
  });
  const end = async (): Promise<void> => {
    await client.end().catch(() => undefined);
  };
  try {
    await client.connect();
    // By a statement: poolers refuse parameters of a connection that they do not know.
    await client.query(`set idle_in_transaction_session_timeout = 10000; ${setup}`);
  } catch (error) {
    await end();
    throw error;
  }
  return { client, lost: lost.signal, end };
}

/**
 * Sends statements without waiting in between: one round trip for a whole transaction. When one fails, those
 * behind it fail with the transaction, and the commit at the end rolls back.
 * @throws what the first failing statement threw
 */
export async function pipelined(
  client: pg.Client,
  statements: readonly (Statement | string)[],
): Promise<void> {
  const outcomes = await Promise.allSettled(statements.map((statement) => client.query(statement)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Runs statements in a transaction, waiting for each. */
export async function transaction<Result>(client: Queryable, run: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    const result = await run();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Runs with a connection of the pool. */
export async function withConnection<Result>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    return await run(client);
  } finally {
    client.release();
  }
}

/** Runs the same on several connections of their own at once; when one fails, throws after all have ended. */
export async function onConnections(
  connection: pg.ClientConfig,
  count: number,
  setup: string,
  run: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: count }, async () => {
      const session = await openSession(connection, { pipeline: false, setup });
      await run(session.client).finally(session.end);
    }),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Waits; returns early, and without an error, when the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** The SQLSTATE of an error that Postgres reported. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Someone else holds a lock just now: the transaction may be tried again. */
export function isContention(error: unknown): boolean {
  const state = sqlState(error);
  return state === '55P03' || state === '40P01';
}
