import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load, LoadOrder } from '#bench/processes/load.ts';
import { runProcess } from '#bench/support/process.ts';
import { interleave } from '#bench/support/rounds.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';
import { connections, storedTokens } from '#bench/support/storedTokens.ts';
import { startBenchService } from '#bench/support/service.ts';

/** GET /tokens/{id} (authenticate, read, decrypt, mask) against a route that answers a constant. */
export async function measureRead({ rounds, seconds }: Duration): Promise<Measured> {
  const service = await startBenchService(1);
  const bare = fork(fileURLToPath(new URL('../processes/bareRoute.ts', import.meta.url)));
  try {
    const [port] = (await once(bare, 'message')) as [number];
    const run = async (order: Omit<LoadOrder, 'connections'>): Promise<number> => {
      const done = await runProcess<Load>('load', { ...order, connections } satisfies LoadOrder);
      if (done.failed > 0) throw new Error(`${done.failed} requests failed`);
      return done.perSecond;
    };
    const paths = await storedTokens(service);
    const ours = { url: service.url, key: service.privateKey, what: { read: paths } };
    const control = { url: `http://127.0.0.1:${port}`, what: { read: ['/constant'] } };
    await run({ ...ours, until: { seconds: 2 } });
    await run({ ...control, until: { seconds: 2 } });
    return {
      name: 'GET /tokens/{id}, 1 API process',
      unit: 'requests/s',
      target: 0.2,
      rounds: await interleave(
        rounds,
        () => run({ ...control, until: { seconds } }),
        () => run({ ...ours, until: { seconds } }),
      ),
      notes: [
        `control: a Koa route answering a constant, 1 process; ${paths.length} distinct tokens, ${connections} connections`,
      ],
    };
  } finally {
    bare.kill();
    await service.stop();
  }
}
