import type pg from 'pg';
import type { InsertOrder } from '#bench/processes/inserts.ts';
import { runProcess } from '#bench/support/process.ts';
import type { BenchService } from '#bench/support/service.ts';

const connections = 64;
/** What a card token takes in the log and the vault, without indexes, in bytes. */
const rowBytes = 1_200;

export const insertsNote = `control: inserts of ${rowBytes} bytes, one per transaction, ${connections} connections`;

/** The control of writes: rows a second, one a transaction, by `pg` in a process of its own. */
export async function insertsPerSecond(
  { connection }: BenchService,
  database: pg.Client,
  seconds: number,
): Promise<number> {
  await database.query(
    'create table if not exists bench_control (id uuid primary key, payload bytea not null)',
  );
  await database.query('truncate bench_control');
  await database.query('checkpoint');
  const order: InsertOrder = { connection, connections, seconds, bytes: rowBytes };
  return runProcess<number>('inserts', order);
}

export async function countTokens(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ count: string }>('select count(*) from read_models.tokens');
  return Number(rows[0]?.count);
}
