import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '#test/chaos/support/world.ts';
import type { Workload } from '#test/chaos/workloads/workload.ts';

export type Load = {
  /** Takes on nothing new, and waits for what is under way. */
  stop(): Promise<void>;
};

/** A client goes on to something else when what it does takes longer, in milliseconds. */
const longest = 1_000;

/** Clients that do one thing after the other, until they are stopped. */
export function startLoad(world: World, workloads: readonly Workload[], clients = 24): Load {
  const stopping = new AbortController();
  const deck = workloads.flatMap((workload) => Array.from({ length: workload.weight }, () => workload));
  const lingering = new Set<Promise<void>>();
  const act = async (): Promise<void> => {
    const acting = deck[world.random(deck.length)]?.act(world) ?? Promise.resolve();
    lingering.add(acting);
    void acting.finally(() => lingering.delete(acting)).catch(() => undefined);
    await Promise.race([acting, sleep(longest)]);
  };
  const client = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await act().catch((error: unknown) => world.verdict.wrong.push(String(error)));
    }
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  return {
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.allSettled(lingering);
    },
  };
}

/** Whether everything holds that the ledger says; each workload looks at its own. */
export async function verifyAll(
  world: World,
  workloads: readonly Workload[],
  said: (text: string) => void,
): Promise<void> {
  const entries = await world.ledger.entries();
  for (const workload of workloads) {
    const began = performance.now();
    await workload.verify(world, entries);
    said(`verified ${workload.name} in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  }
}
