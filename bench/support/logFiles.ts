import pg from 'pg';
import type { BenchService } from '#bench/support/service.ts';

/** Less than what a cluster keeps (`min_wal_size`), in files of 16 MB. */
const files = 60;

/**
 * Makes the files of the write-ahead log that a database has after its first hours and uses again from then on. A new
 * one is filled with zeros first, for 60 ms here, and all commits wait for that.
 */
export async function makeLogFiles({ connection }: Pick<BenchService, 'connection'>): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  for (let file = 0; file < files; file++) {
    await client.query(`select pg_logical_emit_message(false, 'bench', '')`);
    await client.query('select pg_switch_wal()');
  }
  await client.query('checkpoint');
  await client.end();
}
