import type pg from 'pg';

/**
 * Breaks a connection on which the server has been silent for so long after a statement, in milliseconds: the statement
 * fails then. One timer for each connection; the driver's own, `query_timeout`, is one for each statement, and what they
 * refer to, the rows of the answer among it, is kept until the old generation of objects is collected.
 */
export function limitPatience(client: pg.PoolClient, patience: number): void {
  const { connection } = client as pg.PoolClient & Pick<pg.Client, 'connection'>;
  let isWaiting = false;
  const timer = setTimeout(() => {
    if (isWaiting) connection.stream.destroy(new Error('Query read timeout'));
  }, patience);
  // An idle connection keeps no process alive by it.
  timer.unref();
  const query = client.query.bind(client) as (...words: unknown[]) => unknown;
  client.query = ((...words: unknown[]) => {
    isWaiting = true;
    timer.refresh();
    return query(...words);
  }) as pg.PoolClient['query'];
  client.on('drain', () => {
    isWaiting = false;
  });
  client.once('end', () => {
    clearTimeout(timer);
  });
}
