import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import type { Asked } from '#bench/processes/latency.ts';
import type { Load, LoadOrder } from '#bench/processes/load.ts';
import { memoryOfHosts } from '#bench/support/memory.ts';
import { runProcess } from '#bench/support/process.ts';
import { createReactor, echo, echoBody, post } from '#bench/support/reactors.ts';
import { interleave } from '#bench/support/rounds.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';
import type { BenchService } from '#bench/support/service.ts';

const tenants = 20;
const reactorsOfTenant = 10;
const connections = 32;
const megabytes = 2_048;
const coldPerSecond = 100;
const program = fileURLToPath(new URL('../../bin/holdfast.js', import.meta.url));

const spin = 'module.exports = () => { for (;;); };';
const bombs = [
  'module.exports = () => { const all = []; for (;;) all.push(new Array(100000).fill(1)); };',
  'module.exports = () => { const all = new Map(); for (let n = 0; ; n += 1) all.set(n, { n }); };',
  'module.exports = () => { let n = 3n; for (;;) n *= n; };',
];

/** Many reactors of many tenants, and what hostile ones do to their neighbours. */
export async function measureManyReactors({ rounds, seconds }: Duration): Promise<Measured[]> {
  const service = await startBenchService(1);
  try {
    return [await measureMany(service, seconds), await measureNeighbours(service, { rounds, seconds })];
  } finally {
    await service.stop();
  }
}

async function measureMany(service: BenchService, seconds: number): Promise<Measured> {
  const asked: Asked[] = [];
  for (let tenant = 0; tenant < tenants; tenant += 1) {
    const { managementKey, privateKey } = await createTenant(service);
    for (let reactor = 0; reactor < reactorsOfTenant; reactor += 1) {
      const path = await createReactor({ url: service.url, managementKey }, echo);
      asked.push({ method: 'POST', path, body: echoBody, key: privateKey });
    }
  }
  // Tenants in turn, so that each call meets another host.
  const inTurn = asked.map(
    (_, index) => asked[(index * reactorsOfTenant + Math.floor(index / tenants)) % asked.length],
  );
  const order: LoadOrder = {
    url: service.url,
    key: service.privateKey,
    connections,
    what: { ask: inTurn.filter((one) => one !== undefined) },
    until: { seconds: 4 * seconds },
  };
  const done = await runProcess<Load>('load', order);
  if (done.failed > 0) throw new Error(`${done.failed} requests failed`);
  const held = await memoryOfHosts(service.pid);
  return {
    name: `${tenants * reactorsOfTenant} reactors of ${tenants} tenants in turn: memory of all hosts`,
    unit: 'MB',
    target: 1,
    atMost: true,
    rounds: [{ control: megabytes, ours: held, ratio: held / megabytes }],
    notes: [
      `control: the figure that is asked for; ${connections} connections, ${Math.round(done.perSecond)} requests/s, none failed, p99 ${done.p99} ms`,
    ],
  };
}

async function measureNeighbours(service: BenchService, { rounds, seconds }: Duration): Promise<Measured> {
  const hostile = await createTenant(service);
  const owner = { url: service.url, managementKey: hostile.managementKey };
  const paths = [await createReactor(owner, spin)];
  for (const bomb of bombs) paths.push(await createReactor(owner, bomb));
  let next = 710_000_000;
  const create = async (): Promise<number> => {
    next += 1_000_000;
    const order: LoadOrder = {
      url: service.url,
      key: service.privateKey,
      connections: 8,
      what: { create: { firstCard: next } },
      until: { seconds },
    };
    const done = await runProcess<Load>('load', order);
    if (done.failed > 0) throw new Error(`${done.failed} requests failed`);
    return done.p99;
  };
  const beside = async (): Promise<number> => {
    const fresh = await Promise.all(
      Array.from({ length: coldPerSecond * seconds }, () => createReactor(owner, echo)),
    );
    const stop = new AbortController();
    const attacks = paths.map((path) => keepCalling(service, hostile.privateKey, path, stop.signal));
    const cold = keepStarting(service, hostile.privateKey, fresh, stop.signal);
    const p99 = await create();
    stop.abort();
    await Promise.all([...attacks, cold]);
    return p99;
  };
  await create();
  return {
    name: 'POST /tokens beside hostile reactors: p99',
    unit: 'ms',
    target: 1.5,
    atMost: true,
    rounds: await interleave(rounds, create, beside),
    notes: [
      'control: without them; 8 connections. Beside it one tenant spins and allocates without end, and calls reactors never called before, 100 a second',
    ],
  };
}

async function keepCalling(
  service: BenchService,
  key: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) await attack(service, key, path, signal);
}

async function keepStarting(
  service: BenchService,
  key: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const calls: Promise<void>[] = [];
  for (const path of paths) {
    if (signal.aborted) break;
    calls.push(attack(service, key, path, signal));
    await new Promise((resolve) => setTimeout(resolve, 1_000 / coldPerSecond));
  }
  await Promise.all(calls);
}

/** Whatever comes of it. */
async function attack({ url }: BenchService, key: string, path: string, signal: AbortSignal): Promise<void> {
  await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'BT-API-KEY': key, 'Content-Type': 'application/json' },
    body: '{}',
    signal,
  })
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
}

async function createTenant(service: BenchService): Promise<{ managementKey: string; privateKey: string }> {
  const environment = { ...process.env, HOLDFAST_DATA_DIR: service.dataDirectory };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'tenant', 'create', 'bench'], {
    env: environment,
  });
  const managementKey = /key_\w+/.exec(stdout)?.[0] ?? '';
  const application = { name: 'bench', type: 'private', permissions: ['token:use', 'token:create'] };
  const { key } = await post<{ key: string }>(service.url, managementKey, '/applications', application);
  return { managementKey, privateKey: key };
}
