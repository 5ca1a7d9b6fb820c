import { setTimeout as sleep } from 'node:timers/promises';
import { setStage } from '#test/chaos/support/stage.ts';
import type { Outcome } from '#test/chaos/support/stage.ts';
import { createOne } from '#test/chaos/workloads/tokens.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';
import { runHoldfast, startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

/** Milliseconds until a write was acknowledged after each restart. */
export type EventStoreResult = Outcome & { recoveries: number[] };

/** The event store is cut off under load and comes back, again and again. */
export async function runEventStore({
  rounds,
  seed,
  without = [],
}: {
  rounds: number;
  seed: number;
  /** Names of workloads. */
  without?: readonly string[];
}): Promise<EventStoreResult> {
  const stage = await setStage(seed);
  const server = await EventStoreDbServer.start();
  const settings = { ...stage.settings, EVENTSTOREDB_URL: server.connectionString };
  const service = await startService(stage.directory, settings);
  const recoveries: number[] = [];
  try {
    const { world, ...play } = await stage.open(() => service.url, service.credentials);
    const load = play.load(12, without);
    for (let round = 0; round < rounds; round += 1) {
      await sleep(1_000 + world.random(1_000));
      server.stop();
      await sleep(world.random(1_000));
      await server.restart();
      const began = performance.now();
      await until(() => createOne(world), 60_000);
      recoveries.push(performance.now() - began);
    }
    await load.stop();
    await play.verify();
    const ids = server.log.records.map(({ id }) => id);
    if (new Set(ids).size < ids.length) world.verdict.doubled.push('an event is twice in the log');
    const compared = await runHoldfast(['projections', 'verify', 'tokens'], {
      ...settings,
      HOLDFAST_DATA_DIR: stage.directory,
    });
    if (compared.code !== 0) world.verdict.wrong.push(`${compared.out} ${compared.err}`);
    return { recoveries, ...play.outcome() };
  } finally {
    await service.end();
    server.stop();
    await stage.close();
  }
}
