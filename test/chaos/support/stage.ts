import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '#src/seededRandom.ts';
import { Client } from '#test/chaos/support/client.ts';
import { Ledger } from '#test/chaos/support/ledger.ts';
import { startLoad, verifyAll } from '#test/chaos/support/load.ts';
import type { Load } from '#test/chaos/support/load.ts';
import { startOutside } from '#test/chaos/support/outside.ts';
import type { Outside } from '#test/chaos/support/outside.ts';
import { prepare } from '#test/chaos/support/prepare.ts';
import { Verdict } from '#test/chaos/support/verdict.ts';
import type { World } from '#test/chaos/support/world.ts';
import { invocationsWorkload } from '#test/chaos/workloads/invocations.ts';
import { onceWorkload } from '#test/chaos/workloads/once.ts';
import { paymentsWorkload } from '#test/chaos/workloads/payments.ts';
import { tokenizeWorkload } from '#test/chaos/workloads/tokenize.ts';
import { tokensWorkload } from '#test/chaos/workloads/tokens.ts';
import { webhooksWorkload } from '#test/chaos/workloads/webhooks.ts';
import { newDataDirectory, removeDataDirectory } from '#test/support/service.ts';
import type { Credentials } from '#test/support/service.ts';

export type Said = (text: string) => void;

/** What a scenario came to. Times are in milliseconds. */
export type Outcome = { acknowledged: number; milliseconds: number; verdict: Verdict };

/** Everything around a service that is about to be harmed. */
export type Stage = {
  directory: string;
  outside: Outside;
  /** Settings of the service. */
  settings: Record<string, string>;
  verdict: Verdict;
  /** Makes what the load stands on; asks for the URL again with each request. */
  open(url: () => string, credentials: Credentials): Promise<Performance>;
  /** At the very end, when the service has ended. */
  close(): Promise<void>;
};

export type Performance = {
  world: World;
  load(clients?: number, without?: readonly string[]): Load;
  verify(said?: Said): Promise<void>;
  outcome(): Outcome;
};

export async function setStage(seed: number): Promise<Stage> {
  const began = performance.now();
  const directory = await newDataDirectory();
  const own = await mkdtemp(join(tmpdir(), 'holdfast-chaos-'));
  const outside = await startOutside();
  const ledger = await Ledger.open(join(own, 'ledger'));
  const verdict = new Verdict();
  const clients: Client[] = [];
  return {
    directory,
    outside,
    settings: { HOLDFAST_RATE_LIMITS: 'off', HOLDFAST_OUTBOUND_ALLOW: outside.host },
    verdict,
    open: async (url, credentials) => {
      const client = new Client(url, credentials.private);
      clients.push(client);
      const prepared = await prepare(url(), credentials, outside.url);
      const random = seededRandom('chaos', String(seed));
      const world: World = { client, ledger, verdict, outsideUrl: outside.url, random, ...prepared };
      const workloads = [
        tokensWorkload(),
        tokenizeWorkload(),
        onceWorkload(),
        paymentsWorkload(),
        invocationsWorkload(outside),
        webhooksWorkload(outside),
      ];
      return {
        world,
        load: (count, without = []) => {
          const chosen = workloads.filter(({ name }) => !without.includes(name));
          return startLoad(world, chosen, count);
        },
        verify: (said = () => undefined) => verifyAll(world, workloads, said),
        outcome: () => ({
          acknowledged: ledger.acknowledged,
          milliseconds: performance.now() - began,
          verdict,
        }),
      };
    },
    close: async () => {
      for (const client of clients) await client.close();
      await ledger.close();
      await outside.close();
      await rm(own, { recursive: true });
      await removeDataDirectory(directory);
    },
  };
}
