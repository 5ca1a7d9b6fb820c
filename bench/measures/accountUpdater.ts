import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { BareUpdateOrder } from '#bench/processes/bareUpdate.ts';
import type { Load, LoadOrder } from '#bench/processes/load.ts';
import { peakMemoryOfWorker } from '#bench/support/memory.ts';
import { runProcess } from '#bench/support/process.ts';
import type { Duration, Measured, Round } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';
import type { BenchService } from '#bench/support/service.ts';
import {
  newNumber,
  runJob,
  storeUpdatable,
  updatedNumber,
  writeRequestFile,
} from '#bench/support/updates.ts';

const cards = 300_000;
const updates = cards / 5;
/** Of `GET /tokens/{id}`, a second, while the job runs. */
const rate = 200;
const connections = 16;
/** What a read may take at p99, however fast an idle service is, in milliseconds. */
const leastBudget = 50;
const mostMemory = 400;

/** A whole job against a script with nothing around it, and what reads take meanwhile. */
export async function measureAccountUpdater({ rounds }: Duration): Promise<Measured[]> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const service = await startBenchService(3);
  try {
    const tokens = await storeUpdatable(service, cards, 500_000_000);
    const request = join(directory, 'request.csv');
    const bytes = await writeRequestFile(request, tokens);
    const paths = tokens.slice(0, 2_000).map((id) => `/tokens/${id}`);
    // The first job starts processes, which the others find.
    await runJob(service, await readFile(await firstRequest(directory, tokens)));
    await rest(service);
    await reads(service, paths, 3);
    const idle = (await reads(service, paths, 10)).p99;
    const times: Round[] = [];
    const latencies: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      const control = await bareUpdate(service, request, join(directory, 'result.csv'));
      const alone = await run(service, request);
      times.push({ control, ours: alone, ratio: alone / control });
      const [busy] = await Promise.all([reads(service, paths, alone), run(service, request)]);
      const budget = Math.max(2 * idle, leastBudget);
      latencies.push({ control: budget, ours: busy.p99, ratio: busy.p99 / budget });
    }
    const memory = await peakMemoryOfWorker(service.pid);
    return [
      {
        name: `account updater, ${cards.toLocaleString('en')} rows`,
        unit: 's',
        target: 2.5,
        atMost: true,
        rounds: times,
        notes: [
          `control: a script that splits the file, reads the payloads by \`= any\`, decrypts them on three threads, copies ${updates.toLocaleString('en')} payloads into a table and writes the result; it keeps no log and no views, and a kill loses its place`,
          `${(bytes / 1e6).toFixed(1)} MB, ${updates.toLocaleString('en')} new tokens, from the end of the upload until the job is completed`,
          `the worker held at most ${memory} MB (limit ${mostMemory} MB)`,
        ],
      },
      {
        name: `GET /tokens/{id} at ${rate}/s during a job, p99`,
        unit: 'ms',
        target: 1,
        atMost: true,
        rounds: latencies,
        notes: [
          `control: twice the p99 of an idle service (${idle.toFixed(1)} ms), at least ${leastBudget} ms`,
        ],
      },
    ];
  } finally {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function firstRequest(directory: string, tokens: readonly string[]): Promise<string> {
  const path = join(directory, 'first.csv');
  await writeRequestFile(path, tokens.slice(0, 1_000));
  return path;
}

/** What filling the database left to be written and counted must not be taken for the idle service. */
async function rest({ connection }: BenchService): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

const bareUpdate = (
  { connection, dataDirectory, tenantId }: BenchService,
  request: string,
  result: string,
): Promise<number> =>
  runProcess<number>('bareUpdate', {
    connection,
    dataDirectory,
    tenantId,
    request,
    result,
    oldNumber: updatedNumber,
    newNumber,
  } satisfies BareUpdateOrder);

async function run(service: BenchService, request: string): Promise<number> {
  const { seconds, result } = await runJob(service, await readFile(request));
  const lines = result.trimEnd().split('\n').length - 1;
  if (lines !== updates) throw new Error(`the result has ${lines} rows instead of ${updates}`);
  return seconds;
}

async function reads(service: BenchService, paths: readonly string[], seconds: number): Promise<Load> {
  const done = await runProcess<Load>('load', {
    url: service.url,
    key: service.privateKey,
    connections,
    rate,
    what: { read: paths },
    until: { seconds: Math.max(1, Math.floor(seconds)) },
  } satisfies LoadOrder);
  if (done.failed > 0) throw new Error(`${done.failed} reads failed`);
  return done;
}
