import pg from 'pg';
import type { Asked, LatencyOrder } from '#bench/processes/latency.ts';
import type { Load, LoadOrder } from '#bench/processes/load.ts';
import { runProcess } from '#bench/support/process.ts';
import { interleave } from '#bench/support/rounds.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';
import type { BenchService } from '#bench/support/service.ts';
import { writeTransactionEvents } from '#bench/support/transactionEvents.ts';
import { until } from '#test/support/until.ts';

const connections = 64;
/** Their requests are handed over as an argument. */
const cards = 400;
const listed = 100_000;
const pageSize = 100;
const requests = 200;

/** Payments through the sandbox against the tokens that they are made with; and a long list of them. */
export const measurePayments = async (options: Duration): Promise<Measured[]> => [
  await measureCreate(options),
  await measureList(options),
];

async function measureCreate({ rounds, seconds }: Duration): Promise<Measured> {
  const service = await startBenchService(1);
  const database = new pg.Client(service.connection);
  await database.connect();
  let firstCard = 500_000_000;
  let paid = 0;
  const tokens = (wanted: LoadOrder['until']): Promise<Load> => {
    firstCard += 10_000_000;
    return load(service, wanted, { create: { firstCard } });
  };
  try {
    const connection = await givenConnection(service);
    const { acknowledged } = await tokens({ requests: cards });
    const asked = acknowledged.map((token): Asked => ({
      method: 'POST',
      path: '/orchestration/transactions',
      body: JSON.stringify({ amount: 1050, currency: 'USD', connection_id: connection, token }),
    }));
    await load(service, { seconds: 2 }, { ask: asked });
    const before = await count(database);
    const figures = await interleave(
      rounds,
      async () => {
        await database.query('checkpoint');
        return (await tokens({ seconds })).perSecond;
      },
      async () => {
        await database.query('checkpoint');
        const done = await load(service, { seconds }, { ask: asked });
        paid += done.perSecond * done.seconds;
        return done.perSecond;
      },
    );
    const after = await count(database);
    const stored = after.transactions - before.transactions;
    if (stored < paid) throw new Error(`${paid} acknowledged, ${stored} stored`);
    return {
      name: 'POST /orchestration/transactions on the sandbox, 1 API process',
      unit: 'requests/s',
      target: 0.35,
      rounds: figures,
      notes: [
        `control: POST /tokens, cards; ${connections} clients each`,
        `${Math.round(paid)} acknowledged, ${stored} stored, ${((after.events - before.events) / stored).toFixed(2)} durable events each; the use of each token is audited before it leaves`,
      ],
    };
  } finally {
    await database.end();
    await service.stop();
  }
}

async function measureList({ rounds }: Duration): Promise<Measured> {
  const service = await startBenchService(1);
  const pool = new pg.Pool({ ...service.connection, max: 4 });
  try {
    await writeTransactionEvents(pool, service.connection, service.tenantId, listed);
    const isShown = async (): Promise<boolean> => {
      const { rows } = await pool.query<{ count: string }>(
        "select count(*) from read_models.transactions where status = 'authorization_succeeded'",
      );
      return Number(rows[0]?.count) === listed;
    };
    await until(isShown, 300_000);
    await pool.query('vacuum analyze');
    const last = await lastPage(service);
    const path = '/orchestration/transactions';
    const page = (start: string): Promise<number> =>
      runProcess<number>('latency', {
        url: service.url,
        key: service.privateKey,
        asked: Array.from({ length: requests }, () => ({
          method: 'GET',
          path: `${path}?size=${pageSize}${start}`,
        })),
      } satisfies LatencyOrder);
    return {
      name: `list by cursor, the last page of ${listed.toLocaleString('en')} transactions against the first`,
      unit: 'median time of a request, ms',
      target: 2,
      atMost: true,
      rounds: await interleave(
        rounds,
        () => page(''),
        () => page(`&start=${last}`),
      ),
      notes: [`control: the first page; ${pageSize} a page, ${requests} requests one after the other`],
    };
  } finally {
    await pool.end();
    await service.stop();
  }
}

/** Goes through the whole list, and counts it. */
async function lastPage({ url, privateKey }: BenchService): Promise<string> {
  let seen = 0;
  let start = '';
  for (;;) {
    const query = `size=${pageSize}${start === '' ? '' : `&start=${start}`}`;
    const response = await fetch(`${url}/orchestration/transactions?${query}`, {
      headers: { 'BT-API-KEY': privateKey },
    });
    const { data, pagination } = (await response.json()) as {
      data: unknown[];
      pagination: { next?: string };
    };
    seen += data.length;
    if (pagination.next === undefined) break;
    start = pagination.next;
  }
  if (seen !== listed) throw new Error(`${seen} of ${listed} transactions were listed`);
  return start;
}

const load = async (
  { url, privateKey: key }: BenchService,
  wanted: LoadOrder['until'],
  what: LoadOrder['what'],
): Promise<Load> => {
  const done = await runProcess<Load>('load', {
    url,
    key,
    until: wanted,
    connections,
    what,
  } satisfies LoadOrder);
  if (done.failed > 0) throw new Error(`${done.failed} requests failed`);
  return done;
};

async function givenConnection({ url, privateKey }: BenchService): Promise<string> {
  const response = await fetch(`${url}/orchestration/connections`, {
    method: 'POST',
    headers: { 'BT-API-KEY': privateKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      connection_formula_id: 'sandbox-card',
      method: 'card',
      display_name: 'Sandbox',
      fields: [{ key: 'merchant_id', value: 'bench' }],
      accepted_countries: ['US'],
      accepted_currencies: ['USD'],
      active: true,
    }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return ((await response.json()) as { id: string }).id;
}

async function count(database: pg.Client): Promise<{ transactions: number; events: number }> {
  const { rows } = await database.query<{ transactions: string; events: string }>(
    `select count(distinct stream) as transactions, count(*) as events
     from event_log.events where stream like 'transaction-%'`,
  );
  return { transactions: Number(rows[0]?.transactions), events: Number(rows[0]?.events) };
}
