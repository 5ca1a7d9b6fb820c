import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import type { BareChunk, BareLines, BareUpdateSettings } from '#bench/processes/bareUpdateThread.ts';
import { answerProcess } from '#bench/support/process.ts';
import { openKeyProvider } from '#infra/vault/keyProviders/openKeyProvider.ts';
import { loadTenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { readConfig } from '#src/config.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

export type BareUpdateOrder = {
  connection: pg.ClientConfig;
  dataDirectory: string;
  tenantId: string;
  request: string;
  result: string;
  oldNumber: string;
  newNumber: string;
};

const threads = 3;
const rowsOfChunk = 2_000;

/** What a script would do that can be run once and loses its place when it is killed. Answers seconds. */
await answerProcess<BareUpdateOrder, number>(async (order) => {
  const settings = await settingsOf(order);
  const startedAt = performance.now();
  const [, ...rows] = (await readFile(order.request, 'utf8')).trimEnd().split('\n');
  const chunks: BareChunk[] = [];
  for (let at = 0; at < rows.length; at += rowsOfChunk) {
    chunks.push({ chunk: chunks.length, rows: rows.slice(at, at + rowsOfChunk) });
  }
  const lines: string[] = [];
  let next = 0;
  const drive = async (): Promise<void> => {
    const worker = new Worker(new URL('bareUpdateThread.ts', import.meta.url), { workerData: settings });
    for (let chunk = chunks[next++]; chunk !== undefined; chunk = chunks[next++]) {
      worker.postMessage(chunk);
      const [answer] = (await once(worker, 'message')) as [BareLines];
      lines[answer.chunk] = answer.lines;
    }
    worker.postMessage('end');
    await once(worker, 'exit');
  };
  await Promise.all(Array.from({ length: threads }, drive));
  await writeFile(order.result, lines.join(''), { flush: true });
  return (performance.now() - startedAt) / 1_000;
});

async function settingsOf(order: BareUpdateOrder): Promise<BareUpdateSettings> {
  const { connection, dataDirectory, tenantId, oldNumber, newNumber } = order;
  const { environment } = readConfig({ HOLDFAST_DATA_DIR: dataDirectory });
  const source = { file: join(dataDirectory, 'root.key') };
  const pool = new pg.Pool(connection);
  await pool.query(
    `create table if not exists bench_updated
      (id uuid primary key, tenant_id uuid not null, salt bytea not null, ciphertext bytea not null)`,
  );
  await pool.query('truncate bench_updated');
  const keyProvider = await openKeyProvider({ pool, environment, source, logger: silentLogger });
  const { active } = await loadTenantKeys(pool, { keyProvider, environment }, tenantId);
  await pool.end();
  return { connection, environment, tenantId, key: active, oldNumber, newNumber };
}
