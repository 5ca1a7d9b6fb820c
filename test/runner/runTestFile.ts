import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { record } from '#test/runner/recordedUvu.ts';
import { lookAround, whatWasLeft } from '#test/runner/leaks.ts';
import type { FileResult } from '#test/runner/results.ts';
import { takeHelperCosts } from '#test/support/helperCosts.ts';

type UvuResult = [errors: string | boolean, passed: number, skipped: number, total: number];
type UvuGlobals = { UVU_QUEUE: (() => Promise<UvuResult>)[][]; UVU_INDEX: number };

/** Runs one test file in this process, which may have run others before. */
export async function runTestFile(path: string, url: string): Promise<FileResult> {
  const began = performance.now();
  const processor = process.cpuUsage();
  const children = childrenTime();
  const environment = { ...process.env };
  const recording = record();
  takeHelperCosts();
  const before = lookAround();
  const reasons: string[] = [];
  const fail = (error: unknown): void => {
    reasons.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  const queue: (() => Promise<UvuResult>)[] = [];
  Object.assign(globalThis, { UVU_QUEUE: [queue], UVU_INDEX: 0 } satisfies UvuGlobals);
  const heard = listen();
  process.on('uncaughtException', fail);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let modules = 0;
  try {
    await import(url);
    modules = performance.now() - began;
    for (const run of queue) {
      const [errors, passed, skipped, total] = await run();
      if (typeof errors === 'string') process.stdout.write(`\n${errors}\n`);
      counts.passed += passed;
      counts.skipped += skipped;
      counts.failed += total - passed;
    }
    if (queue.length === 0) reasons.push('holds no suite that is run');
  } catch (error) {
    fail(error);
  }
  reasons.push(...recording.failures, ...(await whatWasLeft(before)));
  process.off('uncaughtException', fail);
  const output = heard();
  restore(environment);
  flushCompileCache();
  if (counts.passed + counts.failed + counts.skipped === 0) reasons.push('holds no test');
  const used = process.cpuUsage(processor);
  return {
    path,
    ...counts,
    failed: counts.failed + (reasons.length > 0 && counts.failed === 0 ? 1 : 0),
    reasons,
    output,
    tests: recording.tests,
    memory: process.memoryUsage.rss(),
    times: {
      wall: performance.now() - began,
      modules,
      hooks: recording.hooks,
      tests: recording.tests.reduce((sum, { wall }) => sum + wall, 0),
      processor: (used.user + used.system) / 1000,
      children: childrenTime() - children,
      helpers: takeHelperCosts(),
    },
  };
}

/** Keeps what is printed; answers it when it is called, and lets all through again. */
function listen(): () => string {
  let text = '';
  const streams = [process.stdout, process.stderr];
  const originals = streams.map((stream) => stream.write);
  for (const stream of streams) {
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const done = rest.find((each) => typeof each === 'function');
      if (done !== undefined) queueMicrotask(() => void done());
      return true;
    };
  }
  return () => {
    streams.forEach((stream, index) => {
      stream.write = originals[index] ?? stream.write;
    });
    return text;
  };
}

function restore(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) {
    if (!(name in environment)) Reflect.deleteProperty(process.env, name);
  }
  Object.assign(process.env, environment);
  process.exitCode = undefined;
}

/** Processor time of the processes that this one started and that have ended, in milliseconds; 0 where it is not told. */
function childrenTime(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // In hundredths of a second: `cutime` and `cstime` of proc(5).
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return 0;
  }
}
