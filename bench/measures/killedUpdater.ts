import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenRunning } from '#bench/support/memory.ts';
import type { Duration, Measured, Round } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';
import { runJob, storeUpdatable, writeRequestFile } from '#bench/support/updates.ts';
import type { Progress } from '#bench/support/updates.ts';
import { seededRandom } from '#src/seededRandom.ts';

const cards = 300_000;
const kills = 20;
/** Of the last rows it would not be sure that there is time to kill anything. */
const rowsOfWay = 0.95 * cards;

/** A whole job whose processes are killed on the way, against the same without. */
export async function measureKilledUpdater({ rounds }: Duration): Promise<Measured[]> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const service = await startBenchService(3);
  try {
    const tokens = await storeUpdatable(service, cards, 500_000_000);
    const first = join(directory, 'first.csv');
    const path = join(directory, 'request.csv');
    await writeRequestFile(first, tokens.slice(0, 1_000));
    await writeRequestFile(path, tokens);
    // The first job starts the processes.
    await runJob(service, await readFile(first));
    const request = await readFile(path);
    const times: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      const undisturbed = await runJob(service, request);
      const killer = killerOf(service.pid, round);
      const killed = await runJob(service, request, killer.goOn);
      if (killer.killed() < kills) throw new Error(`only ${killer.killed()} were killed`);
      if (withoutNewTokens(killed.result) !== withoutNewTokens(undisturbed.result)) {
        throw new Error('the result is another one');
      }
      requireDistinctTokens(killed.result);
      times.push({
        control: undisturbed.seconds,
        ours: killed.seconds,
        ratio: killed.seconds / undisturbed.seconds,
      });
    }
    return [
      {
        name: `account updater, ${cards.toLocaleString('en')} rows, its processes killed ${kills} times`,
        unit: 's',
        target: 2,
        atMost: true,
        rounds: times,
        notes: [
          'control: the same job undisturbed; one process of those that there are is killed each time, at random places of the way, and the result is the same but for the ids of new tokens, of which none is there twice',
        ],
      },
    ];
  } finally {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Kills a process whenever one of some random places of the way is reached. */
function killerOf(pid: number, round: number): { goOn(progress: Progress): Promise<void>; killed(): number } {
  const random = seededRandom('killed updater', String(round));
  const places = Array.from({ length: kills }, () => random(rowsOfWay)).sort((a, b) => a - b);
  let killed = 0;
  return {
    killed: () => killed,
    goOn: async ({ processed }) => {
      while ((places[killed] ?? Infinity) < processed) {
        const updaters = await childrenRunning(pid, 'updaterProcess');
        if (updaters.length === 0) return;
        const victim = updaters[random(updaters.length)];
        if (victim !== undefined) process.kill(victim, 'SIGKILL');
        killed++;
      }
    },
  };
}

const newTokenColumn = 3;

const withoutNewTokens = (result: string): string =>
  result
    .split('\n')
    .map((line) => line.split(',').toSpliced(newTokenColumn, 1).join(','))
    .join('\n');

function requireDistinctTokens(result: string): void {
  const lines = result.trimEnd().split('\n').slice(1);
  const made = new Set(lines.map((line) => line.split(',')[newTokenColumn]));
  if (made.size !== lines.length) throw new Error('a new token is there twice');
}
