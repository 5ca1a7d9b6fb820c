import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { peakMemory } from '#bench/support/memory.ts';
import { interleave } from '#bench/support/rounds.ts';
import type { Measured } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';
import type { BenchService } from '#bench/support/service.ts';
import { writeTokenEvents } from '#bench/support/tokenEvents.ts';

const events = 300_000;
const mostMemory = 512;
const program = fileURLToPath(new URL('../../bin/holdfast.js', import.meta.url));

/** A rebuild of the tokens from the log against bare COPYs into the same table with its indexes. */
export async function measureRebuild(rounds: number): Promise<Measured[]> {
  const service = await startBenchService(1);
  const pool = new pg.Pool({ ...service.connection, max: 2 });
  try {
    await writeTokenEvents(pool, service.connection, service.tenantId, events);
    await caughtUp(pool);
    const lines = await exportRows(pool);
    const memory: number[] = [];
    const rebuilds = async (): Promise<number> => {
      const run = await rebuild(service);
      memory.push(run.memory);
      return run.seconds;
    };
    const results: Measured[] = [];
    for (const [what, wanted] of [
      [`as many rows as there are events`, events],
      [`as many rows as the view ends with`, lines.length],
    ] as const) {
      const rows = multiply(lines, wanted);
      const seconds = await interleave(rounds, () => copySeconds(pool, rows), rebuilds);
      results.push({
        name: `rebuild of ${events.toLocaleString('en')} token events, ${what}`,
        unit: 'COPY seconds over rebuild seconds',
        target: 0.6,
        rounds: seconds.map(({ control, ours }) => ({ control, ours, ratio: control / ours })),
        notes: [
          `control: one COPY of ${wanted.toLocaleString('en')} rows into the same table with its indexes (figures are seconds)`,
          `the view ends with ${lines.length.toLocaleString('en')} rows; memory of the rebuilding process at most ${Math.max(...memory)} MB (limit ${mostMemory} MB)`,
        ],
      });
    }
    return results;
  } finally {
    await pool.end();
    await service.stop();
  }
}

async function caughtUp(pool: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ reached: boolean }>(
      `select bool_and(position::int8 >= (select max(position) from event_log.events)) as reached
       from work.projection_checkpoints`,
    );
    if (rows[0]?.reached === true) return;
    await sleep(100);
  }
}

async function rebuild(service: BenchService): Promise<{ seconds: number; memory: number }> {
  await checkpoint(service);
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=16', program, 'projections', 'rebuild', 'tokens'],
    {
      env: { ...process.env, HOLDFAST_DATA_DIR: service.dataDirectory },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  let memory = 0;
  const watching = setInterval(() => {
    void peakMemory(child.pid).then((peak) => {
      memory = Math.max(memory, peak);
    });
  }, 50);
  const [code] = (await once(child, 'exit')) as [number];
  clearInterval(watching);
  const seconds = Number(/events in ([\d.]+) s/.exec(printed)?.[1]);
  if (code !== 0 || !(seconds > 0)) throw new Error(`the rebuild ended with ${code}: ${printed}`);
  return { seconds, memory };
}

async function checkpoint({ connection }: BenchService): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('checkpoint');
  await client.end();
}

const table = 'read_models.tokens_v2';

async function exportRows(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of client.query(copyTo(`copy ${table} to stdout`))) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString().trimEnd().split('\n');
  } finally {
    client.release();
  }
}

/** As many rows as wanted: the same again under other ids when there are too few. */
function multiply(lines: readonly string[], wanted: number): string[] {
  return Array.from({ length: wanted }, (_, index) => {
    const line = lines[index % lines.length] ?? '';
    if (index < lines.length) return line;
    const [tenant, , ...rest] = line.split('\t');
    return [tenant, crypto.randomUUID(), ...rest].join('\t');
  });
}

async function copySeconds(pool: pg.Pool, rows: readonly string[]): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query(`create table bench_copy (like ${table} including all)`);
    await client.query('checkpoint');
    const chunks: string[] = [];
    for (let start = 0; start < rows.length; start += 500) {
      chunks.push(`${rows.slice(start, start + 500).join('\n')}\n`);
    }
    const startedAt = performance.now();
    await pipeline(Readable.from(chunks), client.query(copyFrom('copy bench_copy from stdin')));
    return (performance.now() - startedAt) / 1_000;
  } finally {
    await client.query('drop table if exists bench_copy');
    client.release();
  }
}
