import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { judge } from '#test/runner/judge.ts';
import type { Verdict } from '#test/runner/judge.ts';
import { hasEnded } from '#test/runner/summary.ts';

export type FileResult = Verdict & { path: string; milliseconds: number; output: string };

/** A test file may take this long, in milliseconds. */
const fileLimit = 300_000;

/** A process whose tests have all ended has this long to end by itself, in milliseconds. */
const lingerLimit = 10_000;

/** Output of a process that has ended is waited for this long: something else may hold its end of the pipe. */
const outputLimit = 2_000;

/** Runs one test file in a process, and a process group, of its own; an abort ends the group. */
export function runFile(
  path: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<FileResult> {
  const began = Date.now();
  // isolated-vm cannot make isolates in a process that started from Node's snapshot.
  const child = spawn(process.execPath, ['--no-node-snapshot', path], {
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timers: NodeJS.Timeout[] = [];
  let output = '';
  let ended = false;
  let interruption: string | undefined;

  const interrupt = (reason: string): void => {
    interruption ??= reason;
    killGroup(child.pid);
  };
  const onAbort = (): void => {
    interrupt('interrupted');
  };
  const read = (text: string): void => {
    output += text;
    if (ended || !hasEnded(output)) return;
    ended = true;
    timers.push(setTimeout(interrupt, lingerLimit, 'tests ended, process did not: it leaks a handle'));
  };

  signal.addEventListener('abort', onAbort);
  timers.push(setTimeout(interrupt, fileLimit, `not done after ${fileLimit / 1000} s`));
  const streams: Readable[] = [child.stdout, child.stderr];
  for (const stream of streams) stream.setEncoding('utf8').on('data', read);
  child.on('exit', () => {
    // Whatever the file started and forgot.
    killGroup(child.pid);
    timers.push(setTimeout(() => streams.forEach((stream) => stream.destroy()), outputLimit));
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      timers.forEach(clearTimeout);
      signal.removeEventListener('abort', onAbort);
      const verdict = judge(output, code, interruption);
      resolve({ path, milliseconds: Date.now() - began, output, ...verdict });
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}
