import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Load, LoadOrder } from '#bench/processes/load.ts';
import { startApi } from '#bench/support/api.ts';
import { runProcess } from '#bench/support/process.ts';
import { interleave } from '#bench/support/rounds.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';
import { connections, storedTokens } from '#bench/support/storedTokens.ts';
import { makeLogFiles } from '#bench/support/logFiles.ts';
import { startBenchService } from '#bench/support/service.ts';
import type { BenchService } from '#bench/support/service.ts';

const leastVerified = 300_000;
const verifiedPerSecond = 100_000;
const program = fileURLToPath(new URL('../../bin/holdfast.js', import.meta.url));

/** What the audit log costs a read, and how fast it is verified. */
export async function measureAudit({ rounds, seconds }: Duration): Promise<Measured[]> {
  const service = await startBenchService(1);
  const children: ChildProcess[] = [];
  try {
    const api = async (audited: boolean): Promise<string> => {
      const { connection, dataDirectory } = service;
      const { url, child } = await startApi({ connection, dataDirectory, audited });
      children.push(child);
      return url;
    };
    await makeLogFiles(service);
    const paths = await storedTokens(service);
    const run = async (url: string, length: number): Promise<number> => {
      const done = await runProcess<Load>('load', {
        url,
        key: service.privateKey,
        connections,
        what: { read: paths },
        until: { seconds: length },
      } satisfies LoadOrder);
      if (done.failed > 0) throw new Error(`${done.failed} requests failed`);
      return done.perSecond;
    };
    const [audited, silent] = [await api(true), await api(false)];
    await run(audited, 2);
    await run(silent, 2);
    const reads = await interleave(
      rounds,
      () => run(silent, seconds),
      () => run(audited, seconds),
    );
    const entries = await countEntries(service);
    while ((await countEntries(service)) < leastVerified) await run(audited, seconds);
    const verified: number[] = [];
    for (let round = 0; round < rounds; round++) verified.push(await verify(service));
    return [
      {
        name: 'GET /tokens/{id} with the audit log, 1 API process',
        unit: 'requests/s',
        target: 0.85,
        rounds: reads,
        notes: [
          `control: the same process with an audit log that keeps nothing; ${paths.length} distinct tokens, ${connections} connections`,
          'both in a database whose log files are there already, as they are after its first hours',
          `${entries.toLocaleString('en')} entries were written meanwhile, each durable before its answer, and the head of the batch before it anchored`,
        ],
      },
      {
        name: `audit verify of ${(await countEntries(service)).toLocaleString('en')} entries`,
        unit: 'entries/s',
        target: 1,
        rounds: verified.map((ours) => ({
          control: verifiedPerSecond,
          ours,
          ratio: ours / verifiedPerSecond,
        })),
        notes: [`control: the figure that is asked for, ${verifiedPerSecond.toLocaleString('en')} entries/s`],
      },
    ];
  } finally {
    for (const child of children) child.disconnect();
    await service.stop();
  }
}

async function countEntries({ connection }: BenchService): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ count: string }>('select count(*) from audit.entries');
  await client.end();
  return Number(rows[0]?.count ?? 0);
}

/** As an operator does it; the command says how fast it was. */
async function verify({ dataDirectory }: BenchService): Promise<number> {
  const child = spawn(process.execPath, [program, 'audit', 'verify'], {
    env: { ...process.env, HOLDFAST_DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  const rate = Number(/\(([\d,]+) entries\/s\)/.exec(printed)?.[1]?.replaceAll(',', ''));
  if (code !== 0 || !(rate > 0)) throw new Error(`the verification ended with ${code}: ${printed}`);
  return rate;
}
