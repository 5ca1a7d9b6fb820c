import { reportFailure } from '#test/runner/report.ts';
import type { FileResult } from '#test/runner/results.ts';
import { runFiles } from '#test/runner/runFiles.ts';
import type { RunFiles } from '#test/runner/runFiles.ts';

/**
 * Runs the files that failed once more, one at a time, and answers the results with theirs in the place of the first.
 * What failed first is printed whole: a test that passes the second time is still to be mended.
 */
export async function runFailedAgain(
  first: readonly FileResult[],
  settings: Omit<RunFiles, 'files' | 'atOnce'>,
): Promise<FileResult[]> {
  const failed = first.filter((result) => result.failed > 0);
  if (failed.length === 0) return [...first];
  process.stdout.write(`\nrun again, alone: ${failed.map(({ path }) => path).join(', ')}\n`);
  process.stdout.write(failed.map(reportFailure).join(''));
  const files = failed.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));
  const second = await runFiles({ ...settings, files, atOnce: 1 });
  return [...first.filter((result) => !files.includes(result.path)), ...second];
}
