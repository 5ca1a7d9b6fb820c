import type { FileResult } from '#test/runner/results.ts';

/** One line for a file. */
export function fileLine({ path, passed, failed, skipped, times }: FileResult): string {
  const counts = [`${passed} passed`];
  if (failed > 0) counts.push(`${failed} failed`);
  if (skipped > 0) counts.push(`${skipped} skipped`);
  return `${failed > 0 ? 'FAIL' : 'ok  '} ${path} (${counts.join(', ')}; ${(times.wall / 1000).toFixed(1)} s)\n`;
}

/** All that is known of a file that failed, and the command that repeats it. */
export function reportFailure(result: FileResult): string {
  const told = [...result.reasons, result.output.trimEnd()].filter((text) => text !== '').join('\n');
  return `${fileLine(result)}${indent(told)}\n     repeat: npm test -- --no-checks ${levelFlag(result.path)}${result.path}\n`;
}

const levelFlag = (path: string): string => (path.includes('.long.') ? '--level long ' : '');

export type RunSummary = {
  milliseconds: number;
  /** Long files that this run does not hold. */
  leftOut: number;
  /** Files that an interruption or `--bail` kept from being run. */
  notRun: number;
  /** Checks that failed. */
  others: number;
};

/** The end of the run: the last line is `N passed, N failed`. */
export function reportRun(
  results: readonly FileResult[],
  { milliseconds, leftOut, notRun, others }: RunSummary,
): string {
  const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
    results.reduce((total, result) => total + result[key], 0);
  const failed = results.filter((result) => result.failed > 0);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} tests skipped` : '';
  const long = leftOut > 0 ? `${leftOut} long files were left to \`npm run test:long\`\n` : '';
  return [
    '\n',
    ...failed.map(reportFailure),
    ...(failed.length > 1 ? ['\n', ...failed.map(({ path }) => `FAIL ${path}\n`)] : []),
    `${results.length} files in ${(milliseconds / 1000).toFixed(1)} s${skipped}\n`,
    long,
    notRun > 0 ? `the run was stopped: ${notRun} files were not run\n` : '',
    `${sum('passed')} passed, ${sum('failed') + others} failed\n`,
  ].join('');
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '     ');
}
