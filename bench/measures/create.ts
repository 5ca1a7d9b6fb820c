import pg from 'pg';
import type { Load, LoadOrder } from '#bench/processes/load.ts';
import { countTokens, insertsNote, insertsPerSecond } from '#bench/support/inserts.ts';
import { runProcess } from '#bench/support/process.ts';
import { interleave, median } from '#bench/support/rounds.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';
import type { BenchService } from '#bench/support/service.ts';

const connections = 64;
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
    await load(service, 2);
    const before = await countTokens(database);
    const figures = await interleave(
      rounds,
      () => insertsPerSecond(service, database, seconds),
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
        insertsNote,
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
    until: { seconds },
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
