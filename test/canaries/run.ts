import { Command, InvalidArgumentError } from 'commander';
import { hunt } from '#test/canaries/support/hunt.ts';

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number from 1');
  return value;
};

const { every, rounds } = new Command('canaries')
  .description(
    'sends secrets by every route of a service of its own, and looks for them wherever they must not be',
  )
  .option('--every <n>', 'ask one of so many spots of the routes', wholeNumber, 1)
  .option('--rounds <n>', 'how often tokens are used in every way', wholeNumber, 5)
  .parse()
  .opts<{ every: number; rounds: number }>();

const started = performance.now();
const say = (text: string): void => {
  process.stdout.write(`${((performance.now() - started) / 1_000).toFixed(0)} s: ${text}\n`);
};
const result = await hunt({ every, rounds, backup: true, say });
for (const hit of result.hits) say(hit);
const number = (count: number): string => count.toLocaleString('en');
say(
  [
    `${number(result.canaries)} canaries (and ${number(result.inClear)} in members that are kept in clear)`,
    `by ${number(result.routes)} routes, ${number(result.spots)} spots and ${number(result.requests)} requests`,
    `${number(result.patterns)} spellings in ${number(result.places)} places of ${number(result.bytes)} bytes`,
    `${number(result.hits.length)} hits`,
  ].join('; '),
);
process.exitCode = result.hits.length === 0 ? 0 : 1;
