import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTestFiles } from '#test/runner/files.ts';
import { reportFile, reportRun } from '#test/runner/report.ts';
import { runFile } from '#test/runner/runFile.ts';
import type { FileResult } from '#test/runner/runFile.ts';
import { createTemplate } from '#test/runner/template.ts';
import { startThrowawayPostgres, urlOf } from '#test/support/postgres.ts';

/**
 * Runs the test files, each in a process of its own, some at a time, on one PostgreSQL: all of them, or those
 * whose path contains one of the arguments.
 */
async function main(words: readonly string[], signal: AbortSignal): Promise<boolean> {
  const began = Date.now();
  const files = await findTestFiles(words);
  if (files.length === 0) {
    process.stdout.write(`no test file has ${words.join(' or ')} in its path\n0 passed, 0 failed\n`);
    return false;
  }
  const temporary = await makeTemporaryDirectory();
  const postgres = await startThrowawayPostgres();
  try {
    const template = await createTemplate(postgres.connection);
    const environment = {
      ...process.env,
      TMPDIR: temporary,
      TEST_POSTGRES_URL: urlOf(postgres.connection),
      TEST_POSTGRES_TEMPLATE: template,
      // Files, and the services that they start, load the same code again and again.
      NODE_COMPILE_CACHE: join(temporary, 'compiled'),
    };
    const results = await runAll(files, environment, signal);
    process.stdout.write(reportRun(results, Date.now() - began));
    return !signal.aborted && results.every((result) => result.failed === 0);
  } finally {
    await postgres.stop();
    await rm(temporary, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** For everything that the files leave behind. Tests as root need it open to other users. */
async function makeTemporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-run-'));
  await chmod(path, 0o755);
  return path;
}

async function runAll(
  files: readonly string[],
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const run = async (waiting: string[], atOnce: number): Promise<void> => {
    const work = async (): Promise<void> => {
      for (let path = waiting.shift(); path !== undefined && !signal.aborted; path = waiting.shift()) {
        const result = await runFile(path, environment, signal);
        results.push(result);
        process.stdout.write(reportFile(result));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };
  await run(
    files.filter((path) => !needsTheMachine(path)),
    availableParallelism(),
  );
  await run(files.filter(needsTheMachine), 1);
  return results;
}

/** What loads all cores by itself: two such files at once would run out of time. */
const needsTheMachine = (path: string): boolean => /[/\\](chaos|fuzz)[/\\]/.test(path);

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    interruption.abort();
  });
}
const succeeded = await main(process.argv.slice(2), interruption.signal);
process.exitCode = succeeded ? 0 : 1;
