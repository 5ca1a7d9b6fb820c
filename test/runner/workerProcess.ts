import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Order } from '#test/runner/worker.ts';
import { brokenFile } from '#test/runner/results.ts';
import type { FileResult } from '#test/runner/results.ts';

/** A test file may take this long, in milliseconds; one that is long by its name, twice that. */
const fileLimit = 900_000;

/** A worker has this long to end what it shares, in milliseconds. */
const endLimit = 120_000;

/** Output of a worker that has ended is waited for this long, in milliseconds. */
const outputLimit = 2_000;

/** A worker whose memory has grown past this is replaced, in bytes. */
const memoryLimit = 1_500_000_000;

const program = fileURLToPath(new URL('worker.ts', import.meta.url));

/** A process, and a process group, that runs test files one after the other. */
export class WorkerProcess {
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #said = '';

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** Runs a file; a process that ends or takes too long is the file's failure. */
  async run(path: string): Promise<FileResult> {
    const began = Date.now();
    const child = (this.#child ??= await this.#start());
    this.#said = '';
    const broken = (reason: string): FileResult => brokenFile(path, reason, this.#said, Date.now() - began);
    const limit = path.includes('.long.') ? fileLimit * 2 : fileLimit;
    const result = await new Promise<FileResult>((resolve) => {
      const timer = setTimeout(() => {
        end(broken(`not done after ${limit / 1000} s`));
        this.kill();
      }, limit);
      const onMessage = (message: FileResult): void => {
        end(message);
      };
      const onEnd = (code: number | null, signal: string | null): void => {
        this.kill();
        end(broken(`ended its process with ${signal ?? `exit code ${code}`}`));
      };
      const end = (answer: FileResult): void => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onEnd);
        resolve(answer);
      };
      child.on('message', onMessage);
      child.on('exit', onEnd);
      child.send({ run: path } satisfies Order);
    });
    if (result.memory !== undefined && result.memory > memoryLimit) await this.end();
    return result;
  }

  /** Lets it end by itself. Answers what is wrong when it does not. */
  async end(): Promise<string | undefined> {
    const child = this.#child;
    if (child === undefined) return undefined;
    this.#said = '';
    const ended = new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, endLimit, false);
      child.once('exit', () => {
        clearTimeout(timer);
        resolve(true);
      });
      child.send({ end: true } satisfies Order);
    });
    const byItself = await ended;
    this.kill();
    if (!byItself) {
      return `a worker did not end within ${endLimit / 1000} s: something holds it\n${this.#said}`;
    }
    return child.exitCode === 0 ? undefined : `a worker ended with ${child.exitCode}\n${this.#said}`;
  }

  /** Ends it and all that it started. */
  kill(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nobody is left in it.
    }
  }

  async #start(): Promise<ChildProcess> {
    const directory = this.#environment['TMPDIR'] ?? '';
    await mkdir(directory, { recursive: true, mode: 0o755 });
    // isolated-vm cannot make isolates in a process that started from Node's snapshot.
    const child = fork(program, [], {
      execArgv: ['--no-node-snapshot'],
      env: this.#environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text;
      });
      // Something that it started may hold the other end still.
      child.once('exit', () => setTimeout(() => stream?.destroy(), outputLimit));
    }
    return child;
  }
}
