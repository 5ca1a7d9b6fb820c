import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { FromApiProcess, ToApiProcess } from '#src/main/messages.ts';
import type { Logger } from '#ports/logger.ts';
import { StartupError } from '#src/startupError.ts';

/** One that ends sooner than this after it was started is not replaced at once: it would end again. In milliseconds. */
const shortLife = 10_000;
/** Such a one is replaced after this long, in milliseconds. */
const replaceAfter = 500;
/** Requests under way have this long to end when the service stops, in milliseconds. */
const grace = 15_000;

export type Listening = { port: number; hosts: string[] };

/** API processes that share a port. They load their code at once, and serve when they are told to. */
export class ApiProcesses {
  readonly #logger: Logger;
  readonly #compiled: string;
  readonly #startedAt = new WeakMap<Worker, number>();
  #connection: pg.ClientConfig | undefined;
  #stopping = false;

  /** @param compiled directory of compiled code: a process that takes the place of another starts sooner by it */
  constructor(count: number, logger: Logger, compiled: string) {
    this.#logger = logger;
    this.#compiled = compiled;
    // Each accepts by itself: a connection that this process had accepted for one that died would be answered by nobody,
    // and what this process does for others would keep new connections waiting.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: fileURLToPath(new URL('apiProcess.ts', import.meta.url)), args: [] });
    for (let index = 0; index < count; index++) this.#fork();
  }

  /**
   * Lets every process serve; resolves when all of them listen.
   * @throws StartupError when one cannot
   */
  async serve(connection: pg.ClientConfig): Promise<Listening> {
    this.#connection = connection;
    const [listening] = await Promise.all(processes().map((worker) => started(worker, connection)));
    if (listening === undefined) throw new StartupError('there is no API process');
    cluster.on('exit', (worker, code, signal) => {
      this.#replace(worker, code, signal);
    });
    return listening;
  }

  /** Ends the processes once their requests under way are answered. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(processes().map((worker) => ended(worker, this.#connection !== undefined)));
  }

  #replace(worker: Worker, code: number, signal: string | null): void {
    const connection = this.#connection;
    if (this.#stopping || connection === undefined) return;
    this.#logger.error(
      { process_id: worker.process.pid, code, signal },
      'an API process ended and is replaced',
    );
    const life = performance.now() - (this.#startedAt.get(worker) ?? 0);
    setTimeout(
      () => {
        if (this.#stopping) return;
        started(this.#fork(), connection).catch((error: unknown) => {
          this.#logger.error({ err: error }, 'an API process could not be replaced');
        });
      },
      life < shortLife ? replaceAfter : 0,
    );
  }

  #fork(): Worker {
    // Node would make the data directory, too, and not for its owner alone as we do at the first start.
    const canKeep = existsSync(dirname(this.#compiled));
    const worker = cluster.fork(canKeep ? { NODE_COMPILE_CACHE: this.#compiled } : {});
    this.#startedAt.set(worker, performance.now());
    return worker;
  }
}

const processes = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

const tell = (worker: Worker, message: ToApiProcess): void => {
  if (worker.isConnected()) worker.send(message);
};

function started(worker: Worker, connection: pg.ClientConfig): Promise<Listening> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromApiProcess) => {
      if (message.type === 'listening') resolve({ port: message.port, hosts: message.hosts });
      if (message.type === 'failed') {
        reject(new StartupError(message.message));
        worker.kill('SIGKILL');
      }
    });
    worker.once('exit', () => {
      reject(new StartupError('an API process ended before it could serve'));
    });
    tell(worker, { type: 'serve', connection });
  });
}

async function ended(worker: Worker, mayServe: boolean): Promise<void> {
  if (worker.isDead()) return;
  await new Promise<void>((resolve) => {
    const kill = (): void => {
      worker.process.kill('SIGKILL');
    };
    const timer = setTimeout(kill, grace);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    if (mayServe) tell(worker, { type: 'stop' });
    else kill();
  });
}
