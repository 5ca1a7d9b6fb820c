import { setTimeout as sleep } from 'node:timers/promises';
import { startDurablePostgres } from '#test/chaos/support/durablePostgres.ts';
import { setStage } from '#test/chaos/support/stage.ts';
import type { Outcome } from '#test/chaos/support/stage.ts';
import { freePort } from '#test/support/freePort.ts';
import { startBalancer } from '#test/chaos/support/balancer.ts';
import { startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';

/** `slowestEnd`: milliseconds from SIGTERM to the exit. */
export type RollingResult = Outcome & { restarts: number; failed: number; slowestEnd: number };

/** Two services behind a balancer are told to stop one after the other, again and again, and started anew. */
export async function runRollingRestart({
  rounds,
  seed,
}: {
  rounds: number;
  seed: number;
}): Promise<RollingResult> {
  const stage = await setStage(seed);
  const postgres = await startDurablePostgres();
  const settings = { ...stage.settings, DATABASE_URL: postgres.url };
  const ports = [await freePort(), await freePort()];
  const start = (index: number): Promise<ServiceProcess> =>
    startService(stage.directory, { ...settings, PORT: String(ports[index]) });
  const services = [await start(0), await start(1)];
  const balancer = await startBalancer(ports);
  let slowestEnd = 0;
  try {
    const [first] = services;
    if (first === undefined) throw new Error('there is no service');
    const { world, ...play } = await stage.open(() => balancer.url, first.credentials);
    const load = play.load(12);
    for (let round = 0; round < rounds; round += 1) {
      const index = round % services.length;
      await sleep(1_000);
      const port = ports[index] ?? 0;
      balancer.takeOut(port);
      const began = performance.now();
      const code = await services[index]?.end();
      slowestEnd = Math.max(slowestEnd, performance.now() - began);
      if (code !== 0) world.verdict.wrong.push(`a service that was told to stop ended with ${code}`);
      services[index] = await start(index);
      balancer.putBack(port);
    }
    await sleep(500);
    await load.stop();
    const failed = balancer.failures.length;
    world.verdict.wrong.push(...balancer.failures);
    await play.verify();
    return { ...play.outcome(), restarts: rounds, failed, slowestEnd };
  } finally {
    for (const service of services) await service.end();
    await balancer.close();
    await postgres.stop();
    await stage.close();
  }
}
