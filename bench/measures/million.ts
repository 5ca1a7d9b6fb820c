import pg from 'pg';
import type { Asked, LatencyOrder } from '#bench/processes/latency.ts';
import type { Load, LoadOrder } from '#bench/processes/load.ts';
import { cardNumbers } from '#bench/support/cards.ts';
import { countTokens } from '#bench/support/inserts.ts';
import { peakMemoryOfApi } from '#bench/support/memory.ts';
import { runProcess } from '#bench/support/process.ts';
import { interleave } from '#bench/support/rounds.ts';
import type { Measured } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';
import type { BenchService } from '#bench/support/service.ts';

const few = 10_000;
const many = 1_000_000;
const batch = 100;
const requests = 300;

type Filled = { service: BenchService; tokens: number; notes: string[] };

/** Search, metadata filter and list among a million tokens against the same among ten thousand. */
export async function measureMillion({ rounds }: { rounds: number }): Promise<Measured[]> {
  const small = await fill(few);
  const large = await fill(many);
  try {
    const compare = async (name: string, target: number, ask: (n: number) => Asked): Promise<Measured> => ({
      name: `${name}, 1,000,000 tokens against 10,000`,
      unit: 'median time of a request, ms',
      target,
      atMost: true,
      rounds: await interleave(
        rounds,
        () => latency(small, ask),
        () => latency(large, ask),
      ),
      notes: [`control: the same among ${few} tokens; ${requests} requests one after the other`],
    });
    const measured = [
      await compare('search by data', 1.5, (n) => search(`data:${numberOf(n)}`)),
      await compare('list with a metadata filter', 3, (n) => get(`/tokens?metadata.order=order+${n}`)),
      await compare('list, page 1', 3, () => get('/tokens')),
    ];
    measured[0]?.notes.push(...large.notes);
    return measured;
  } finally {
    await small.service.stop();
    await large.service.stop();
  }
}

async function fill(tokens: number): Promise<Filled> {
  const service = await startBenchService(3);
  const database = new pg.Client(service.connection);
  await database.connect();
  const size = async (): Promise<number> => {
    const { rows } = await database.query<{ size: string }>(
      'select pg_database_size(current_database()) as size',
    );
    return Number(rows[0]?.size);
  };
  const empty = await size();
  const done = await runProcess<Load>('load', {
    url: service.url,
    key: service.privateKey,
    until: { requests: tokens / batch },
    connections: 16,
    what: { tokenize: { firstCard: 0, indexed: true } },
  } satisfies LoadOrder);
  const stored = await countTokens(database);
  if (done.failed > 0 || stored !== tokens) throw new Error(`${stored} of ${tokens} tokens were stored`);
  const bytes = Math.round(((await size()) - empty) / tokens);
  const memory = await peakMemoryOfApi(service.pid);
  await database.query('vacuum analyze');
  await database.end();
  const rate = Math.round(done.perSecond * batch).toLocaleString('en');
  return {
    service,
    tokens,
    notes: [
      `${tokens.toLocaleString('en')} cards, each with metadata and a search index, stored through /tokenize: ${rate} tokens/s, ${bytes} bytes each in the database (log, vault, view and indexes), at most ${memory} MB in an API process (limit 512 MB)`,
    ],
  };
}

function latency({ service, tokens }: Filled, ask: (n: number) => Asked): Promise<number> {
  const asked = Array.from({ length: requests }, () => ask(Math.floor(Math.random() * tokens)));
  return runProcess<number>('latency', {
    url: service.url,
    key: service.privateKey,
    asked,
  } satisfies LatencyOrder);
}

const numberOf = (n: number): string => cardNumbers(n)();
const get = (path: string): Asked => ({ method: 'GET', path });
const search = (query: string): Asked => ({
  method: 'POST',
  path: '/tokens/search',
  body: JSON.stringify({ query }),
});
