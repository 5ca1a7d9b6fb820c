import { cpus, release, totalmem } from 'node:os';
import { median } from '#bench/support/rounds.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';

/** The results as Markdown, with the machine they came from. */
export function report(results: readonly Measured[], options: Duration): string {
  const rows = results.map((result) => {
    const ratios = result.rounds.map(({ ratio }) => ratio);
    const reached = median(ratios);
    return [
      result.name,
      figure(median(result.rounds.map(({ control }) => control))),
      figure(median(result.rounds.map(({ ours }) => ours))),
      `${reached.toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
      `${result.atMost ? '≤' : '≥'} ${result.target}`,
      isMet(result, reached) ? 'met' : 'MISSED',
    ];
  });
  const headings = ['What', 'Control', 'Holdfast', 'Ratio: median (range)', 'Target', ''];
  return [
    '# Bench results',
    '',
    `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.versions.node}, embedded PostgreSQL 18, durability on.`,
    `Medians of ${options.rounds} rounds of ${options.seconds} s; control and Holdfast in turn, the ratio taken within the round. All of it shares the machine: server, database, load.`,
    '',
    line(headings),
    line(headings.map(() => '---')),
    ...rows.map(line),
    '',
    ...results.flatMap(({ name, unit, notes }) => [
      `**${name}** (${unit})`,
      ...notes.map((note) => `- ${note}`),
      '',
    ]),
  ].join('\n');
}

const isMet = ({ target, atMost }: Measured, reached: number): boolean =>
  atMost ? reached <= target : reached >= target;

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const figure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
