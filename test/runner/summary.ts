import { stripVTControlCharacters } from 'node:util';

export type Counts = { passed: number; failed: number; skipped: number };

/** Whether uvu has printed that every test of the file has ended. */
export function hasEnded(output: string): boolean {
  return /^ {2}Duration: /m.test(stripVTControlCharacters(output));
}

/** The counts that uvu prints at the end of a file; undefined when the file has not come to its end. */
export function readSummary(output: string): Counts | undefined {
  if (!hasEnded(output)) return undefined;
  const text = stripVTControlCharacters(output);
  const passed = countOf('Passed', text);
  return { passed, failed: countOf('Total', text) - passed, skipped: countOf('Skipped', text) };
}

function countOf(label: string, text: string): number {
  const found = [...text.matchAll(new RegExp(`^ {2}${label}: +(\\d+)$`, 'gm'))];
  return Number(found.at(-1)?.[1] ?? 0);
}
