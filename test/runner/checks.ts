import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { cachePath } from '#test/runner/cache.ts';

export type CheckResult = { name: string; code: number | null; output: string; milliseconds: number };

/** The checks, and what each keeps for the next run. Lint keeps nothing: its rules look at types of other files. */
const checks: Record<string, readonly string[]> = {
  lint: ['eslint', '.'],
  types: ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', cachePath('types.json')],
  format: [
    'prettier',
    '--check',
    '--log-level=warn',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${cachePath('format.json')}`,
    '.',
  ],
  boundaries: [
    'depcruise',
    '--config=.dependency-cruiser.cjs',
    '--output-type=err',
    ...['src', 'commands', 'queries', 'projections', 'infra', 'bench', 'test'],
  ],
};

/** Runs types, lint, format and boundaries, one after the other; all of them, whatever fails. */
export async function runChecks(
  signal: AbortSignal,
  onResult: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  await mkdir(cachePath('.'), { recursive: true });
  const results: CheckResult[] = [];
  for (const [name, [program = '', ...words]] of Object.entries(checks)) {
    if (signal.aborted) break;
    const result = await runCheck(name, program, words, signal);
    results.push(result);
    onResult(result);
  }
  return results;
}

function runCheck(
  name: string,
  program: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<CheckResult> {
  const began = Date.now();
  const child = spawn(process.execPath, [`node_modules/.bin/${program}`, ...words], {
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.on('error', (error) => {
    output += error.message;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      resolve({ name, code, output, milliseconds: Date.now() - began });
    });
  });
}

/** What a check found, or that it found nothing. */
export function reportCheck({ name, code, output, milliseconds }: CheckResult): string {
  const seconds = (milliseconds / 1000).toFixed(1);
  if (code === 0) return `ok   ${name} (${seconds} s)\n`;
  return `FAIL ${name} (${seconds} s); repeat: npm run ${name}\n${output.trimEnd()}\n`;
}
