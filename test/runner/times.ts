import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { cachePath } from '#test/runner/cache.ts';
import { levelOf } from '#test/runner/files.ts';
import type { FileResult } from '#test/runner/results.ts';

/** How long files took when they were last run, in milliseconds. */
export type Times = Readonly<Record<string, number>>;

const path = cachePath('times.json');

/** None where nothing was run yet. */
export async function readTimes(): Promise<Times> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Times;
  } catch {
    return {};
  }
}

/** Keeps the times of these files, and those of others from before. */
export async function writeTimes(before: Times, results: readonly FileResult[]): Promise<void> {
  const now = results
    .filter(({ failed }) => failed === 0)
    .map(({ path, times }) => [path, Math.round(times.wall)]);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ ...before, ...Object.fromEntries(now) }));
}

/** What a file will probably take: as last time, or as others of its kind. */
export const expectedTime = (times: Times, file: string): number => times[file] ?? guess(file);

/** Whole services that are started and killed are the dearest. */
function guess(file: string): number {
  if (/test\/(service|backup|chaos|fuzz)\//.test(file) || /kills|outage|canary/.test(file)) return 20_000;
  return { unit: 100, int: 2_000, e2e: 3_000, long: 60_000 }[levelOf(file)];
}

/** The dearest first, so that all processes end together. */
export const dearestFirst = (times: Times, files: readonly string[]): string[] =>
  files.toSorted((a, b) => expectedTime(times, b) - expectedTime(times, a));
