import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Connection } from '#infra/postgres/connection.ts';
import { pause } from '#infra/backoff.ts';
import type { Logger } from '#ports/logger.ts';
import type { ToUpdaterProcess } from '#src/main/messages.ts';

/** One that ends sooner, in milliseconds, is likely to do it again. */
const shortLife = 3_000;
/** Such a one is replaced after this long, in milliseconds; others at once. */
const replaceAfter = 250;
/** Chunks under way have this long to end when the service stops, in milliseconds. */
const grace = 15_000;
/** Of each, in MB: chunks are small, whatever the file. */
const mostHeap = 256;

/** Between two looks for the first job, in milliseconds: they are ready before its file is there. */
const lookEvery = 500;

const program = fileURLToPath(new URL('updaterProcess.ts', import.meta.url));

/**
 * Processes for the jobs of the account updater: what a large file takes of a processor is not taken from views,
 * subscribers and timers. They start with the first job, since most services never have one.
 */
export class UpdaterProcesses {
  readonly #connection: Connection;
  readonly #logger: Logger;
  readonly #environment: () => NodeJS.ProcessEnv;
  readonly #processes = new Set<ChildProcess>();
  readonly #stopping = new AbortController();

  /** @param environment of a process, beside that of this one */
  constructor(connection: Connection, logger: Logger, environment: () => NodeJS.ProcessEnv) {
    this.#connection = connection;
    this.#logger = logger;
    this.#environment = environment;
  }

  /** Starts so many once there is something to do for them. */
  async startWhen(hasJobs: () => Promise<boolean>, count: number): Promise<void> {
    const { signal } = this.#stopping;
    // A database that cannot be reached now can be later.
    while (!(await hasJobs().catch(() => false)) && !signal.aborted) await pause(lookEvery, signal);
    if (signal.aborted) return;
    for (let index = 0; index < count; index++) this.#start();
  }

  /** Ends the processes once their chunks under way are done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#processes].map(ended));
  }

  #start(): void {
    const child = fork(program, [], {
      execArgv: [`--max-old-space-size=${mostHeap}`],
      env: { ...process.env, ...this.#environment() },
    });
    this.#processes.add(child);
    const startedAt = performance.now();
    child.once('exit', (code, signal) => {
      this.#processes.delete(child);
      if (this.#stopping.signal.aborted) return;
      this.#logger.error(
        { process_id: child.pid, code, signal },
        'a process of the account updater ended and is replaced',
      );
      const isLikelyToEndAgain = performance.now() - startedAt < shortLife;
      setTimeout(
        () => {
          if (!this.#stopping.signal.aborted) this.#start();
        },
        isLikelyToEndAgain ? replaceAfter : 0,
      );
    });
    tell(child, { type: 'work', connection: this.#connection });
  }
}

const tell = (child: ChildProcess, message: ToUpdaterProcess): void => {
  if (child.connected) child.send(message, () => undefined);
};

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), grace);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    tell(child, { type: 'stop' });
  });
}
