import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cachePath } from '#test/runner/cache.ts';
import { reportCheck, runChecks } from '#test/runner/checks.ts';
import { findTestFiles, levelOf } from '#test/runner/files.ts';
import { readOptions } from '#test/runner/options.ts';
import type { Options } from '#test/runner/options.ts';
import { Progress } from '#test/runner/progress.ts';
import { writeProfile } from '#test/runner/profile.ts';
import { reportRun } from '#test/runner/report.ts';
import { runFailedAgain } from '#test/runner/runFailedAgain.ts';
import { runFiles } from '#test/runner/runFiles.ts';
import type { FileResult } from '#test/runner/results.ts';
import { dearestFirst, readTimes, writeTimes } from '#test/runner/times.ts';
import { watchFiles } from '#test/runner/watch.ts';
import { startThrowawayPostgres, urlOf } from '#test/support/postgres.ts';

/** Runs the checks and the test files of the wanted levels, the dearest first. Answers whether all is well. */
async function run(options: Options, signal: AbortSignal): Promise<boolean> {
  const began = Date.now();
  const files = await findTestFiles(options.levels, options.words);
  if (files.length === 0) {
    process.stdout.write(`no test file has ${options.words.join(' or ')} in its path\n0 passed, 0 failed\n`);
    return false;
  }
  const temporary = await makeTemporaryDirectory();
  let server: Awaited<ReturnType<typeof startServer>> | undefined;
  try {
    if (files.some((path) => levelOf(path) !== 'unit')) server = await startServer();
    const times = await readTimes();
    const progress = new Progress(files, times);
    const checks = options.checks
      ? runChecks(signal, (result) => {
          progress.line(reportCheck(result));
        })
      : Promise.resolve([]);
    const settings = {
      environment: {
        ...process.env,
        ...server?.environment,
        TEST_RUN_DIRECTORY: temporary,
        // Processes of tests load the same code again and again.
        NODE_COMPILE_CACHE: resolve(cachePath('compiled')),
      },
      temporary,
      signal,
      bail: options.bail,
      onResult: (result: FileResult) => {
        progress.done(result);
      },
    };
    // Tests wait more than they work.
    const atOnce = availableParallelism() + 1;
    const first = await runFiles({ ...settings, files: dearestFirst(times, files), atOnce });
    const results = options.again && !signal.aborted ? await runFailedAgain(first, settings) : first;
    const failedChecks = (await checks).filter(({ code }) => code !== 0);
    progress.clear();
    await writeTimes(times, results);
    if (options.profile) await writeProfile(results);
    for (const check of failedChecks) process.stdout.write(`\n${reportCheck(check)}`);
    const leftOut = options.levels.includes('long') ? [] : await findTestFiles(['long'], options.words);
    const milliseconds = Date.now() - began;
    process.stdout.write(
      reportRun(results, {
        milliseconds,
        leftOut: leftOut.length,
        notRun: files.length - results.length,
        others: failedChecks.length,
      }),
    );
    return !signal.aborted && failedChecks.length === 0 && results.every(({ failed }) => failed === 0);
  } finally {
    await server?.stop();
    await rm(temporary, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** For everything that the files leave behind. Tests as root need it open to other users. */
async function makeTemporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-run-'));
  await chmod(path, 0o755);
  return path;
}

async function startServer(): Promise<{ environment: NodeJS.ProcessEnv; stop(): Promise<void> }> {
  const postgres = await startThrowawayPostgres();
  return { environment: { TEST_POSTGRES_URL: urlOf(postgres) }, stop: () => postgres.stop() };
}

async function main(words: readonly string[]): Promise<boolean> {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      interruption.abort();
    });
  }
  const options = readOptions(words);
  if (options.watch) return watchFiles(options, interruption.signal, run);
  return run(options, interruption.signal);
}

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  process.stderr.write(`the tests cannot run: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
