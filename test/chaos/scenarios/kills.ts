import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '#test/chaos/support/client.ts';
import { setStage } from '#test/chaos/support/stage.ts';
import type { Outcome, Said } from '#test/chaos/support/stage.ts';
import { Victim } from '#test/chaos/support/victim.ts';
import type { Recovery } from '#test/chaos/support/victim.ts';
import type { World } from '#test/chaos/support/world.ts';
import { createOne } from '#test/chaos/workloads/tokens.ts';
import { prepareDirectory } from '#test/support/preparedDirectory.ts';
import { until } from '#test/support/until.ts';

export const targets = ['API', 'main process', 'PostgreSQL', 'a backend of PostgreSQL'] as const;
export type Target = (typeof targets)[number];

export type Round = Recovery & {
  target: Target;
  /** Until a write was acknowledged that was begun after the kill, in milliseconds. */
  firstWrite: number;
};

export type KillsResult = Outcome & { rounds: Round[] };

export type KillsOptions = { rounds: number; seed: number; said?: Said };

/** In milliseconds. */
const patience = 60_000;
/** Load before a kill, in milliseconds: at least, and at random up to as much more. */
const loadBefore = 2_000;
const loadMore = 3_000;

/** Kills one thing after the other under load; nothing that was acknowledged may be lost, or happen twice. */
export async function runKills({ rounds, seed, said = () => undefined }: KillsOptions): Promise<KillsResult> {
  const stage = await setStage(seed);
  await prepareDirectory(stage.directory);
  const victim = await Victim.start(stage.directory, { ...stage.settings, HOLDFAST_PROCESSES: '2' });
  try {
    const { world, ...play } = await stage.open(() => victim.url, victim.service.credentials);
    const load = play.load();
    const done: Round[] = [];
    for (let index = 0; index < rounds; index += 1) {
      await sleep(loadBefore + world.random(loadMore));
      // Each in turn at first, so that a short run leaves none out.
      const target = targets[index < targets.length ? index : world.random(targets.length)] ?? 'API';
      const round = await killed(victim, target, world);
      done.push(round);
      said(described(index, round, world.ledger.acknowledged));
    }
    await sleep(loadBefore);
    await load.stop();
    said(`verifying ${world.ledger.acknowledged} acknowledged writes`);
    await play.verify(said);
    return { rounds: done, ...play.outcome() };
  } finally {
    await victim.service.end();
    await stage.close();
  }
}

async function killed(victim: Victim, target: Target, world: World): Promise<Round> {
  const began = performance.now();
  const dead = Promise.withResolvers<undefined>();
  const recovering = kill(victim, target, world.random, () => {
    dead.resolve(undefined);
  });
  // A write on its way when the kill came says nothing.
  await Promise.race([dead.promise, recovering]);
  // A connection that is given to a process in the moment of its death is never answered: another one is made soon.
  const client = new Client(() => victim.url, victim.service.credentials.private, {
    connections: 1,
    patience: 1_000,
  });
  const writing = until(() => createOne({ ...world, client }), patience);
  const [recovery, firstWrite] = await Promise.all([
    recovering,
    writing.then(() => performance.now() - began),
  ]);
  await client.close();
  return { target, ...recovery, firstWrite };
}

function kill(
  victim: Victim,
  target: Target,
  random: World['random'],
  onKilled: () => void,
): Promise<Recovery> {
  switch (target) {
    case 'API':
      return victim.killApi(onKilled);
    case 'main process':
      return victim.killMain(onKilled);
    case 'PostgreSQL':
      return victim.killPostgres(onKilled);
    case 'a backend of PostgreSQL':
      return victim.killBackend(random, onKilled);
  }
}

function described(
  index: number,
  { target, ready, postgres, firstWrite }: Round,
  acknowledged: number,
): string {
  const back = postgres === undefined ? '' : `PostgreSQL back after ${postgres.toFixed(0)} ms, `;
  return (
    `round ${index + 1}: ${target} killed; ready after ${ready.toFixed(0)} ms, ${back}` +
    `first write after ${firstWrite.toFixed(0)} ms; ${acknowledged} acknowledged`
  );
}
