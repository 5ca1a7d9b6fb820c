import pg from 'pg';
import type { Load, LoadOrder } from '#bench/processes/load.ts';
import type { InsertOrder } from '#bench/processes/inserts.ts';
import { runProcess } from '#bench/support/process.ts';
import { interleave, median } from '#bench/support/rounds.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';
import type { BenchService } from '#bench/support/service.ts';

const connections = 64;
/** What a card token takes in the log and the vault, without indexes, in bytes. */
const rowBytes = 1_200;
let nextCard = 0;

/** POST /tokens (card), durable and readable by list, against single-row inserts. */
export async function measureCreate(
  processes: number,
  target: number,
  { rounds, seconds }: Duration,
): Promise<Measured> {
  const service = await startBenchService(processes);
  const database = new pg.Client(service.connection);
  await database.connect();
  const loads: Load[] = [];
  let acknowledged = 0;
  let listed = 0;
  try {
    await database.query('create table bench_control (id uuid primary key, payload bytea not null)');
    await load(service, 2);
    const before = await countTokens(database);
    const figures = await interleave(
      rounds,
      async () => {
        await database.query('truncate bench_control');
        await database.query('checkpoint');
        const { connection } = service;
        return runProcess<number>('inserts', {
          connection,
          connections,
          seconds,
          bytes: rowBytes,
        } satisfies InsertOrder);
      },
      async () => {
        await database.query('checkpoint');
        const done = await load(service, seconds);
        if (done.failed > 0) throw new Error(`${done.failed} requests failed`);
        loads.push(done);
        acknowledged += done.acknowledged.length;
        listed += await listSome(service, done.acknowledged);
        return done.perSecond;
      },
    );
    const stored = (await countTokens(database)) - before;
    if (stored < acknowledged) throw new Error(`${acknowledged} acknowledged, ${stored} stored`);
    return {
      name: `POST /tokens, ${processes} API process${processes === 1 ? '' : 'es'}`,
      unit: 'tokens/s',
      target,
      rounds: figures,
      notes: [
        `control: inserts of ${rowBytes} bytes, one per transaction, ${connections} connections`,
        `${acknowledged} acknowledged, ${stored} stored (those in flight at the end of a round included), ${listed} of ${listed} sampled were listed over other connections`,
        `latency p50 ${median(loads.map(({ p50 }) => p50))} ms, p99 ${median(loads.map(({ p99 }) => p99))} ms`,
      ],
    };
  } finally {
    await database.end();
    await service.stop();
  }
}

function load({ url, privateKey }: BenchService, seconds: number): Promise<Load> {
  const firstCard = nextCard;
  nextCard += 10_000_000;
  return runProcess<Load>('load', {
    url,
    key: privateKey,
    seconds,
    connections,
    what: { create: { firstCard } },
  } satisfies LoadOrder);
}

/** One in a hundred acknowledged tokens must be in a list that another connection asks for. */
async function listSome({ url, privateKey }: BenchService, ids: readonly string[]): Promise<number> {
  const sample = ids.filter((_, index) => index % 100 === 0);
  for (const id of sample) {
    const response = await fetch(`${url}/tokens?id=${id}`, {
      headers: { 'BT-API-KEY': privateKey, Connection: 'close' },
    });
    const { data } = (await response.json()) as { data: unknown[] };
    if (data.length !== 1) throw new Error('an acknowledged token is not in the list');
  }
  return sample.length;
}

async function countTokens(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ count: string }>('select count(*) from read_models.tokens');
  return Number(rows[0]?.count);
}
