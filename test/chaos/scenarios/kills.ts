import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '#src/seededRandom.ts';
import { Client } from '#test/chaos/support/client.ts';
import { Ledger } from '#test/chaos/support/ledger.ts';
import { startLoad, verifyAll } from '#test/chaos/support/load.ts';
import { startOutside } from '#test/chaos/support/outside.ts';
import { prepare } from '#test/chaos/support/prepare.ts';
import { Verdict } from '#test/chaos/support/verdict.ts';
import { Victim } from '#test/chaos/support/victim.ts';
import type { Recovery } from '#test/chaos/support/victim.ts';
import type { World } from '#test/chaos/support/world.ts';
import { invocationsWorkload } from '#test/chaos/workloads/invocations.ts';
import { onceWorkload } from '#test/chaos/workloads/once.ts';
import { paymentsWorkload } from '#test/chaos/workloads/payments.ts';
import { tokenizeWorkload } from '#test/chaos/workloads/tokenize.ts';
import { createOne, tokensWorkload } from '#test/chaos/workloads/tokens.ts';
import { webhooksWorkload } from '#test/chaos/workloads/webhooks.ts';
import { newDataDirectory, removeDataDirectory } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

export const targets = ['API', 'main process', 'PostgreSQL', 'a backend of PostgreSQL'] as const;
export type Target = (typeof targets)[number];

export type Round = Recovery & {
  target: Target;
  /** Until a write was acknowledged again, in milliseconds after the kill. */
  firstWrite: number;
};

export type KillsResult = { rounds: Round[]; acknowledged: number; milliseconds: number; verdict: Verdict };

export type KillsOptions = { rounds: number; seed: number; said?: (text: string) => void };

/** Load before a kill, in milliseconds: at least, and at random up to as much more. */
const loadBefore = 2_000;
const loadMore = 3_000;

/** Kills one thing after the other under load; nothing that was acknowledged may be lost, or happen twice. */
export async function runKills({ rounds, seed, said = () => undefined }: KillsOptions): Promise<KillsResult> {
  const began = performance.now();
  const random = seededRandom('kills', String(seed));
  const directory = await newDataDirectory();
  const own = await mkdtemp(join(tmpdir(), 'holdfast-chaos-'));
  const outside = await startOutside();
  const victim = await Victim.start(directory, {
    HOLDFAST_PROCESSES: '2',
    HOLDFAST_RATE_LIMITS: 'off',
    HOLDFAST_OUTBOUND_ALLOW: outside.host,
  });
  const ledger = await Ledger.open(join(own, 'ledger'));
  const { credentials } = victim.service;
  const client = new Client(() => victim.url, credentials.private);
  const verdict = new Verdict();
  try {
    const prepared = await prepare(victim.url, credentials, outside.url);
    const world: World = { client, ledger, verdict, outsideUrl: outside.url, random, ...prepared };
    const workloads = [
      tokensWorkload(),
      tokenizeWorkload(),
      onceWorkload(),
      paymentsWorkload(),
      invocationsWorkload(outside),
      webhooksWorkload(outside),
    ];
    const load = startLoad(world, workloads);
    const done: Round[] = [];
    for (let index = 0; index < rounds; index += 1) {
      await sleep(loadBefore + random(loadMore));
      // Each in turn at first, so that a short run leaves none out.
      const target = targets[index < targets.length ? index : random(targets.length)] ?? 'API';
      const round = await killed(victim, target, world);
      done.push(round);
      said(describeRound(index, round, ledger.acknowledged));
    }
    await sleep(loadBefore);
    await load.stop();
    said(`verifying ${ledger.acknowledged} acknowledged writes`);
    await verifyAll(world, workloads);
    return {
      rounds: done,
      acknowledged: ledger.acknowledged,
      milliseconds: performance.now() - began,
      verdict,
    };
  } finally {
    await client.close();
    await victim.service.end();
    await ledger.close();
    await outside.close();
    await rm(own, { recursive: true });
    await removeDataDirectory(directory);
  }
}

async function killed(victim: Victim, target: Target, world: World): Promise<Round> {
  const began = performance.now();
  const recovering = kill(victim, target, world.random);
  // A write on its way when the kill came says nothing.
  await sleep(20);
  const writing = until(() => createOne(world), 60_000);
  const firstWrite = writing.then(() => performance.now() - began);
  return { target, ...(await recovering), firstWrite: await firstWrite };
}

function kill(victim: Victim, target: Target, random: World['random']): Promise<Recovery> {
  switch (target) {
    case 'API':
      return victim.killApi();
    case 'main process':
      return victim.killMain();
    case 'PostgreSQL':
      return victim.killPostgres();
    case 'a backend of PostgreSQL':
      return victim.killBackend(random);
  }
}

const describeRound = (
  index: number,
  { target, ready, postgres, firstWrite }: Round,
  acknowledged: number,
): string =>
  `round ${index + 1}: ${target} killed; ready after ${ready.toFixed(0)} ms, ` +
  `${postgres === undefined ? '' : `PostgreSQL back after ${postgres.toFixed(0)} ms, `}` +
  `first write after ${firstWrite.toFixed(0)} ms; ${acknowledged} acknowledged`;
