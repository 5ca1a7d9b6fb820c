import type { ApiOrder } from '#bench/processes/api.ts';
import type { Asked, LatencyOrder } from '#bench/processes/latency.ts';
import type { Load, LoadOrder } from '#bench/processes/load.ts';
import { startApi } from '#bench/support/api.ts';
import type { BenchApi } from '#bench/support/api.ts';
import { cardNumbers } from '#bench/support/cards.ts';
import { runProcess } from '#bench/support/process.ts';
import { createReactor, echo, echoBody, post } from '#bench/support/reactors.ts';
import { interleave } from '#bench/support/rounds.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';
import type { BenchService } from '#bench/support/service.ts';

const connections = 32;
const warmRequests = 300;
const firstCalls = 40;

/** What the sandbox costs a call: warm, warm with a token, and the first of a reactor. */
export async function measureReactors({ rounds, seconds }: Duration): Promise<Measured[]> {
  const service = await startBenchService(1);
  const started: BenchApi[] = [];
  const api = async (code: ApiOrder['code']): Promise<string> => {
    const { connection, dataDirectory } = service;
    const one = await startApi({ connection, dataDirectory, code });
    started.push(one);
    return one.url;
  };
  try {
    const measured = [
      ...(await measureWarm(service, { rounds, seconds }, api)),
      await measureToken(service, rounds),
      await measureFirst(service, rounds),
    ];
    return measured;
  } finally {
    for (const { child } of started) child.disconnect();
    await service.stop();
  }
}

async function measureWarm(
  service: BenchService,
  { rounds, seconds }: Duration,
  api: (code: ApiOrder['code']) => Promise<string>,
): Promise<Measured[]> {
  const asked: Asked[] = [{ method: 'POST', path: await createReactor(service, echo), body: echoBody }];
  const urls = { plain: await api('unconfined'), hosts: await api('hosts'), fresh: await api('fresh') };
  const run = async (url: string, length = seconds): Promise<number> => {
    const order: LoadOrder = {
      url,
      key: service.privateKey,
      connections,
      what: { ask: asked },
      until: { seconds: length },
    };
    const done = await runProcess<Load>('load', order);
    if (done.failed > 0) throw new Error(`${done.failed} requests failed`);
    return done.perSecond;
  };
  for (const url of Object.values(urls)) await run(url, 2);
  const against = async (ours: string, name: string, target: number, notes: string[]): Promise<Measured> => ({
    name,
    unit: 'requests/s',
    target,
    rounds: await interleave(
      rounds,
      () => run(urls.plain),
      () => run(ours),
    ),
    notes,
  });
  return [
    await against(urls.hosts, 'warm react, 1 API process', 0.35, [
      `control: the same process that calls the function itself; echo of 330 bytes, ${connections} connections`,
    ]),
    await against(urls.fresh, 'warm react with a fresh context for each call', 0, [
      'HOLDFAST_REACTOR_CONTEXTS=fresh; no target is set for it',
    ]),
  ];
}

async function measureToken(service: BenchService, rounds: number): Promise<Measured> {
  const number = cardNumbers(700_000_000);
  const data = { number: number(), expiration_month: 12, expiration_year: 2030 };
  const { id } = await post<{ id: string }>(service.url, service.privateKey, '/tokens', {
    type: 'card',
    data,
  });
  const path = await createReactor(service, echo);
  const body = JSON.stringify({ args: { card: `{{${id}}}` } });
  const times = (asked: Asked): Promise<number> =>
    latency(
      service,
      Array.from({ length: warmRequests }, () => asked),
    );
  const read = (): Promise<number> => times({ method: 'GET', path: `/tokens/${id}` });
  const react = (): Promise<number> => times({ method: 'POST', path, body });
  await react();
  return {
    name: 'warm react with one token',
    unit: 'median time of a request, ms',
    target: 4,
    atMost: true,
    rounds: await interleave(rounds, read, react),
    notes: [`control: GET /tokens/{id} of that token; ${warmRequests} requests one after the other`],
  };
}

async function measureFirst(service: BenchService, rounds: number): Promise<Measured> {
  const number = cardNumbers(710_000_000);
  const create = (): Asked => ({
    method: 'POST',
    path: '/tokens',
    body: JSON.stringify({
      type: 'card',
      data: { number: number(), expiration_month: 12, expiration_year: 2030 },
    }),
  });
  const first = async (): Promise<number> => {
    const asked: Asked[] = [];
    for (let index = 0; index < firstCalls; index += 1) {
      asked.push({ method: 'POST', path: await createReactor(service, echo), body: echoBody });
    }
    return latency(service, asked);
  };
  await first();
  return {
    name: 'first call of a reactor',
    unit: 'median time of a request, ms',
    target: 3,
    atMost: true,
    rounds: await interleave(
      rounds,
      () => latency(service, Array.from({ length: firstCalls }, create)),
      first,
    ),
    notes: [
      `control: POST /tokens; ${firstCalls} requests one after the other, each to a reactor never called before`,
    ],
  };
}

const latency = ({ url, privateKey }: BenchService, asked: readonly Asked[]): Promise<number> =>
  runProcess<number>('latency', { url, key: privateKey, asked } satisfies LatencyOrder);
