import { readFile, writeFile } from 'node:fs/promises';
import * as assert from 'uvu/assert';
import type { Deviation } from '#test/sdk/support/recordings/play.ts';
import type { Recording } from '#test/sdk/support/recordings/recording.ts';

const page = 'docs/compatibility.md';
const table = /(<!-- recordings -->\n)[^]*?(<!-- \/recordings -->)/;
const head = ['Client', 'What it sent', 'Answered as it needs'];

/** `npm run compatibility` brings the page up to date. */
const writes = process.argv.includes('--write');

export const rowOf = (
  { client, what, exchanges }: Recording,
  deviations: readonly Deviation[],
): readonly string[] => [client, what, `${exchanges.length - deviations.length} of ${exchanges.length}`];

/** Compares the rows on the page with these, or puts these there. */
export async function checkRows(rows: readonly (readonly string[])[]): Promise<void> {
  const current = await readFile(page, 'utf8');
  const text = ['', ...tableOf(rows), '', ''].join('\n');
  const next = current.replace(table, (_, begin: string, end: string) => begin + text + end);
  if (writes) await writeFile(page, next);
  else assert.is(current, next, `\`npm run compatibility\` brings ${page} up to date`);
}

/** Aligned as the formatter wants it. */
function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[], fill: string): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  return [line(head, ' '), line(['', '', ''], '-'), ...rows.map((row) => line(row, ' '))];
}
