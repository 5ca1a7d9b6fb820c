import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { report } from '#test/chaos/report.ts';
import type { Row } from '#test/chaos/report.ts';
import { runCutOff } from '#test/chaos/scenarios/cutOff.ts';
import type { Interruption } from '#test/chaos/scenarios/cutOff.ts';
import { runDiskFull } from '#test/chaos/scenarios/diskFull.ts';
import { runEventStore } from '#test/chaos/scenarios/eventStore.ts';
import { runKills } from '#test/chaos/scenarios/kills.ts';
import type { KillsResult } from '#test/chaos/scenarios/kills.ts';
import { runRollingRestart } from '#test/chaos/scenarios/rollingRestart.ts';
import { runUploadsDiskFull } from '#test/chaos/scenarios/uploadsDiskFull.ts';
import { cannotMount } from '#test/chaos/support/smallDisk.ts';

const names = [
  'kills',
  'paused',
  'cut-off',
  'disk-full',
  'uploads-full',
  'event-store',
  'rolling-restart',
] as const;
type Name = (typeof names)[number];
type Options = { rounds: number; seed: number; only?: string };

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number from 1');
  return value;
};

const program = new Command('chaos')
  .description('kills, starves and cuts off the service under load, and looks for what was lost')
  .option('--rounds <n>', 'kills; the other scenarios are repeated a tenth as often', wholeNumber, 10)
  .option('--seed <n>', 'of what is random', wholeNumber, Date.now() % 1_000_000)
  .option('--only <names>', `some of ${names.join(',')}; the results file is then left alone`);
const { rounds, seed, only } = program.parse().opts<Options>();

const said = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(2)} s`;
const repeated = Math.max(4, Math.ceil(rounds / 10));
/** How long the database and the disk are gone, in milliseconds. */
const outage = 30_000;
let kills: KillsResult | undefined;

const interrupted = async (how: Interruption): Promise<Row> => {
  const result = await runCutOff(how, { milliseconds: outage, seed });
  const figures = `${result.reads} reads meanwhile, the slowest ${seconds(result.slowestRead)}; first write ${seconds(result.recovery)} after`;
  return { scenario: `PostgreSQL ${how} for ${outage / 1_000} s`, outcome: result, figures };
};

function canMount(name: Name): boolean {
  const obstacle = cannotMount();
  if (obstacle !== undefined) said(`${name} is skipped: ${obstacle}`);
  return obstacle === undefined;
}

const scenarios: Record<Name, () => Promise<Row | undefined>> = {
  kills: async () => {
    kills = await runKills({ rounds, seed, said });
    return {
      scenario: `kill -9, ${rounds} rounds`,
      outcome: kills,
      figures: `in ${seconds(kills.milliseconds)}`,
    };
  },
  paused: () => interrupted('paused'),
  'cut-off': () => interrupted('cut off'),
  'disk-full': async () => {
    if (!canMount('disk-full')) return undefined;
    const result = await runDiskFull({ milliseconds: outage, seed });
    const figures = `${result.whileFull} acknowledged meanwhile; first write ${seconds(result.recovery)} after there was room`;
    return { scenario: `disk full for ${outage / 1_000} s`, outcome: result, figures };
  },
  'uploads-full': async () => {
    if (!canMount('uploads-full')) return undefined;
    const result = await runUploadsDiskFull({ milliseconds: outage });
    const figures = `${result.refused} uploads refused meanwhile; first one taken ${seconds(result.recovery)} after there was room`;
    return { scenario: `disk of uploads full for ${outage / 1_000} s`, outcome: result, figures };
  },
  'event-store': async () => {
    const result = await runEventStore({ rounds: repeated, seed });
    const figures = `first write ${seconds(Math.max(...result.recoveries))} after at most`;
    return { scenario: `EventStoreDB killed and restarted ${repeated} times`, outcome: result, figures };
  },
  'rolling-restart': async () => {
    const result = await runRollingRestart({ rounds: repeated, seed });
    const figures = `${result.failed} failed requests; slowest end ${seconds(result.slowestEnd)}`;
    return {
      scenario: `SIGTERM, one of two services after the other, ${repeated} times`,
      outcome: result,
      figures,
    };
  },
};

const isName = (name: string): name is Name => names.some((known) => known === name);

const began = loadavg()[0] ?? 0;
const rows: Row[] = [];
for (const name of only?.split(',') ?? names) {
  const run = isName(name) ? scenarios[name] : program.error(`there is no scenario named ${name}`);
  said(`running ${name} …`);
  const row = await run();
  if (row === undefined) continue;
  rows.push(row);
  said(`${row.scenario}: ${row.outcome.acknowledged} acknowledged, ${row.figures}`);
  for (const fault of row.outcome.verdict.faults) said(`  ${fault}`);
}
const load = `load of the machine ${began.toFixed(1)} before the run, ${(loadavg()[0] ?? 0).toFixed(1)} after`;
const text = report(rows, kills, [
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${availableParallelism()} cores, ${load}`,
  `seed ${seed}`,
]);
said(text);
if (only === undefined) await writeFile(new URL('RESULTS.md', import.meta.url), text);
process.exitCode = rows.every(({ outcome }) => outcome.verdict.faults.length === 0) ? 0 : 1;
