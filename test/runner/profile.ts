import { writeFile } from 'node:fs/promises';
import { cachePath } from '#test/runner/cache.ts';
import type { FileResult } from '#test/runner/results.ts';

/** Writes where the time of a run went: each file, the twenty dearest tests, each helper that was started. */
export async function writeProfile(results: readonly FileResult[]): Promise<void> {
  const path = cachePath('profile.md');
  await writeFile(path, `${filesOf(results)}\n${dearestTests(results)}\n${helpersOf(results)}`);
  process.stdout.write(`${dearestTests(results)}\n${helpersOf(results)}\nprofile of each file: ${path}\n`);
}

function filesOf(results: readonly FileResult[]): string {
  const rows = results
    .toSorted((a, b) => b.times.wall - a.times.wall)
    .map(({ path, times }) => {
      const helpers = Object.values(times.helpers).reduce((sum, each) => sum + each.milliseconds, 0);
      const waiting = Math.max(0, times.wall - times.processor);
      return [
        path,
        ...[times.wall, times.modules, helpers, times.tests, waiting, times.processor, times.children].map(
          inSeconds,
        ),
      ];
    });
  return table(['file', 'all', 'modules', 'starts', 'tests', 'waiting', 'processor', 'of children'], rows);
}

function dearestTests(results: readonly FileResult[]): string {
  const rows = results
    .flatMap(({ path, tests }) => tests.map((test) => ({ path, ...test })))
    .toSorted((a, b) => b.wall - a.wall)
    .slice(0, 20)
    .map(({ path, test, wall, processor }) => [`${path}: ${test}`, inSeconds(wall), inSeconds(processor)]);
  return table(['dearest tests', 'all', 'processor'], rows);
}

function helpersOf(results: readonly FileResult[]): string {
  const sums = new Map<string, { count: number; milliseconds: number }>();
  for (const { times } of results) {
    for (const [name, { count, milliseconds }] of Object.entries(times.helpers)) {
      const sum = sums.get(name) ?? { count: 0, milliseconds: 0 };
      sums.set(name, { count: sum.count + count, milliseconds: sum.milliseconds + milliseconds });
    }
  }
  const rows = [...sums]
    .toSorted(([, a], [, b]) => b.milliseconds - a.milliseconds)
    .map(([name, { count, milliseconds }]) => [name, String(count), inSeconds(milliseconds)]);
  return table(['helper', 'starts', 'waited for, s'], rows);
}

const inSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(2);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}
