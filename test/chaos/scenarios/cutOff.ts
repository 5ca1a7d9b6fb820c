import { setTimeout as sleep } from 'node:timers/promises';
import { signal } from '#infra/postgres/embedded/processes.ts';
import { Client } from '#test/chaos/support/client.ts';
import { startProxy } from '#test/chaos/support/proxy.ts';
import { setStage } from '#test/chaos/support/stage.ts';
import type { Outcome } from '#test/chaos/support/stage.ts';
import { forEach } from '#test/chaos/support/world.ts';
import { createOne } from '#test/chaos/workloads/tokens.ts';
import { startDurablePostgres } from '#test/chaos/support/durablePostgres.ts';
import { startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

export type Interruption = 'paused' | 'cut off';

/** In milliseconds. */
export type CutOffResult = Outcome & {
  /** The slowest read while the database did not answer. */
  slowestRead: number;
  reads: number;
  /** Until a write was acknowledged after the database was there again. */
  recovery: number;
};

/** PostgreSQL says nothing for a while; the service refuses at once, and goes on by itself when it is back. */
export async function runCutOff(
  how: Interruption,
  { milliseconds, seed }: { milliseconds: number; seed: number },
): Promise<CutOffResult> {
  const stage = await setStage(seed);
  const postgres = await startDurablePostgres();
  const proxy = await startProxy({ path: postgres.socket });
  const url = new URL(postgres.url);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${proxy.port}`;
  const service = await startService(stage.directory, { ...stage.settings, DATABASE_URL: url.href });
  const reader = new Client(() => service.url, service.credentials.private);
  try {
    const { world, ...play } = await stage.open(() => service.url, service.credentials);
    const load = play.load(12);
    await sleep(1_500);
    const known = await until(() => createOne(world));
    const pids = how === 'paused' ? await postgres.processes() : [];
    for (const pid of pids) signal(pid, 'SIGSTOP');
    if (how === 'cut off') proxy.cutOff();
    const reads = await readFor(milliseconds, reader, known, world.verdict.wrong);
    for (const pid of pids) signal(pid, 'SIGCONT');
    if (how === 'cut off') proxy.mend();
    const began = performance.now();
    await until(() => createOne(world), 60_000);
    const recovery = performance.now() - began;
    await sleep(500);
    await load.stop();
    await play.verify();
    return { ...play.outcome(), ...reads, recovery };
  } finally {
    await reader.close();
    await service.end();
    await proxy.close();
    await postgres.stop();
    await stage.close();
  }
}

/** Reads while nothing can be read: each has to be answered, by 503, or by what was on its way before. */
async function readFor(
  milliseconds: number,
  client: Client,
  id: string,
  wrong: string[],
): Promise<{ slowestRead: number; reads: number }> {
  const end = performance.now() + milliseconds;
  let [slowestRead, reads] = [0, 0];
  await forEach(Array.from({ length: 8 }), async () => {
    while (performance.now() < end) {
      const outcome = await client.ask('GET', `/tokens/${id}`);
      reads += 1;
      if (outcome === 'unknown') {
        wrong.push('a read was not answered while the database was gone');
        continue;
      }
      if (outcome.status !== 503 && outcome.status !== 200) {
        wrong.push(`a read was answered ${outcome.status}`);
      }
      slowestRead = Math.max(slowestRead, outcome.milliseconds);
    }
  });
  return { slowestRead, reads };
}
