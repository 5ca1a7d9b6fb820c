import pg from 'pg';
import { waitUntil } from '#infra/postgres/embedded/waitUntil.ts';
import type { Server } from '#infra/postgres/embedded/server.ts';

/** An attempt may be lost without an answer, in milliseconds. */
const attemptLimit = 1_000;

/** Recovery after a crash reads up to `max_wal_size` of log: a server that lives is waited for. */
const recoveryLimit = 600_000;

/**
 * Waits until the server answers and has our database.
 * @throws Error when the server ends before
 */
export async function waitUntilReady(server: Server, connection: pg.ClientConfig): Promise<void> {
  let answered = false;
  await waitUntil(async () => {
    answered = await hasDatabase(connection);
    return answered || server.hasExited();
  }, recoveryLimit);
  if (!answered) throw new Error(server.lastWords() || 'it ended without a word');
}

async function hasDatabase(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({
    ...connection,
    database: 'postgres',
    connectionTimeoutMillis: attemptLimit,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      connection.database,
    ]);
    if (rowCount === 0) {
      await client.query(`create database ${pg.escapeIdentifier(connection.database ?? '')}`);
    }
    return true;
  } catch {
    // Not listening yet, or still starting: asked again.
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
