import { readFile, writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { measureAccountUpdater } from '#bench/measures/accountUpdater.ts';
import { measureAudit } from '#bench/measures/audit.ts';
import { measureAppend } from '#bench/measures/append.ts';
import { measureCreate } from '#bench/measures/create.ts';
import { measureEndpoints } from '#bench/measures/endpoints.ts';
import { measureLongStream } from '#bench/measures/longStream.ts';
import { measureMillion } from '#bench/measures/million.ts';
import { measureKilledUpdater } from '#bench/measures/killedUpdater.ts';
import { measureTokenize } from '#bench/measures/tokenize.ts';
import { measureManyReactors } from '#bench/measures/manyReactors.ts';
import { measureReactors } from '#bench/measures/reactors.ts';
import { measurePayments } from '#bench/measures/payments.ts';
import { measureRead } from '#bench/measures/read.ts';
import { measureRebuild } from '#bench/measures/rebuild.ts';
import { measureWebhooks } from '#bench/measures/webhooks.ts';
import { report } from '#bench/support/report.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';

const measures: Record<string, (options: Duration) => Promise<Measured[]>> = {
  append: async (options) => [await measureAppend(options)],
  create: async (options) => [await measureCreate(1, 0.2, options), await measureCreate(3, 0.35, options)],
  audit: measureAudit,
  read: async (options) => [await measureRead(options)],
  tokenize: async (options) => [await measureTokenize(options)],
  'long-stream': async (options) => [await measureLongStream(options)],
  million: measureMillion,
  reactors: measureReactors,
  'many-reactors': measureManyReactors,
  payments: measurePayments,
  webhooks: async (options) => [await measureWebhooks(options)],
  'account-updater': measureAccountUpdater,
  'killed-updater': measureKilledUpdater,
  endpoints: measureEndpoints,
  rebuild: (options) => measureRebuild(options.rounds),
};

const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number from 1');
  return value;
};

const program = new Command('bench')
  .description('measures each target as a ratio to a control in the same run')
  .option('--rounds <n>', 'rounds of control and Holdfast', positive, 5)
  .option('--seconds <n>', 'length of one measurement', positive, 5)
  .option(
    '--only <names>',
    `some of ${Object.keys(measures).join(',')}; the results file is then left alone`,
  );
const { rounds, seconds, only } = program.parse().opts<Duration & { only?: string }>();
const names = only?.split(',') ?? Object.keys(measures);
const results: Measured[] = [];
for (const name of names) {
  const measure = measures[name];
  if (measure === undefined) {
    program.error(`there is no measure named ${name}`);
    break;
  }
  process.stderr.write(`measuring ${name} …\n`);
  results.push(...(await measure({ rounds, seconds })));
}
const findings = await readFile(new URL('FINDINGS.md', import.meta.url), 'utf8');
const text = `${report(results, { rounds, seconds })}\n${findings}`;
process.stdout.write(`${text}\n`);
if (only === undefined) await writeFile(new URL('RESULTS.md', import.meta.url), text);
