import pg from 'pg';
import type { Load, LoadOrder } from '#bench/processes/load.ts';
import { countTokens, insertsNote, insertsPerSecond } from '#bench/support/inserts.ts';
import { runProcess } from '#bench/support/process.ts';
import { interleave } from '#bench/support/rounds.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';

const connections = 16;
const batch = 100;

/** POST /tokenize of a hundred cards, against single-row inserts. */
export async function measureTokenize({ rounds, seconds }: Duration): Promise<Measured> {
  const service = await startBenchService(3);
  const database = new pg.Client(service.connection);
  await database.connect();
  let firstCard = 0;
  let acknowledged = 0;
  const tokenize = async (until: LoadOrder['until']): Promise<number> => {
    firstCard += 10_000_000;
    const { url, privateKey: key } = service;
    const order: LoadOrder = {
      url,
      key,
      until,
      connections,
      what: { tokenize: { firstCard, indexed: false } },
    };
    const done = await runProcess<Load>('load', order);
    if (done.failed > 0) throw new Error(`${done.failed} requests failed`);
    acknowledged += done.perSecond * done.seconds * batch;
    return done.perSecond * batch;
  };
  try {
    await tokenize({ seconds: 2 });
    const figures = await interleave(
      rounds,
      () => insertsPerSecond(service, database, seconds),
      async () => {
        await database.query('checkpoint');
        return tokenize({ seconds });
      },
    );
    const stored = await countTokens(database);
    if (stored < acknowledged) throw new Error(`${acknowledged} acknowledged, ${stored} stored`);
    return {
      name: 'POST /tokenize of 100 cards, 3 API processes',
      unit: 'tokens/s',
      target: 1.5,
      rounds: figures,
      notes: [
        insertsNote,
        `${connections} clients; each card with a security code`,
        `${Math.round(acknowledged)} acknowledged, ${stored} stored`,
      ],
    };
  } finally {
    await database.end();
    await service.stop();
  }
}
