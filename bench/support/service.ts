import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

export type BenchService = {
  url: string;
  privateKey: string;
  tenantId: string;
  dataDirectory: string;
  environment: NodeJS.ProcessEnv;
  /** Of the embedded Postgres, as its owner. */
  connection: pg.ClientConfig;
  stop(): Promise<void>;
};

const program = fileURLToPath(new URL('../../bin/holdfast.js', import.meta.url));

/** The service as users start it: a process tree with a data directory of its own. */
export async function startService(processes: number): Promise<BenchService> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const environment = {
    ...process.env,
    PORT: '0',
    HOLDFAST_DATA_DIR: dataDirectory,
    HOLDFAST_PROCESSES: String(processes),
    HOLDFAST_RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [program, 'start'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await readyPort(child);
  const text = await readFile(join(dataDirectory, 'dev-credentials.json'), 'utf8');
  const credentials = JSON.parse(text) as { private: string; tenant_id: string };
  const database = await connectToDataDirectory(dataDirectory, silentLogger);
  return {
    url: `http://127.0.0.1:${port}`,
    privateKey: credentials.private,
    tenantId: credentials.tenant_id,
    dataDirectory,
    environment,
    connection: database.connection,
    stop: async () => {
      await database.close();
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

function readyPort(child: ChildProcess): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    const port = /is ready on [^ ]*:(\d+)/.exec(said)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  child.once('exit', (code) => {
    reject(new Error(`the service ended with ${code} before it was ready: ${said}`));
  });
  return promise;
}
