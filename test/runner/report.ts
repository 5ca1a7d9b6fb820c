import type { FileResult } from '#test/runner/runFile.ts';

/** One line for a file; its output too when something in it failed. */
export function reportFile(result: FileResult): string {
  const { path, passed, failed, skipped, reason, output } = result;
  const counts = [`${passed} passed`];
  if (failed > 0) counts.push(`${failed} failed`);
  if (skipped > 0) counts.push(`${skipped} skipped`);
  const seconds = (result.milliseconds / 1000).toFixed(1);
  const line = `${failed > 0 ? 'FAIL' : 'ok  '} ${path} (${counts.join(', ')}; ${seconds} s)`;
  if (failed === 0) return `${line}\n`;
  const explanation = reason === undefined ? '' : `     ${reason}\n`;
  return `${line}\n${explanation}${indent(output.trimEnd())}\n`;
}

/** The end of the run: the last line is `N passed, N failed`. */
export function reportRun(results: readonly FileResult[], milliseconds: number): string {
  const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
    results.reduce((total, result) => total + result[key], 0);
  const failed = results.filter((result) => result.failed > 0).map((result) => `FAIL ${result.path}\n`);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} tests skipped` : '';
  const seconds = (milliseconds / 1000).toFixed(1);
  return `\n${failed.join('')}${results.length} files in ${seconds} s${skipped}\n${sum('passed')} passed, ${sum('failed')} failed\n`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '     ');
}
