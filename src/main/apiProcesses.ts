import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Connection } from '#infra/postgres/connection.ts';
import type { FromApiProcess, ServeOrder, ToApiProcess } from '#src/main/messages.ts';
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
  readonly #environment: () => NodeJS.ProcessEnv;
  readonly #startedAt = new WeakMap<Worker, number>();
  #order: ServeOrder | undefined;
  #stopping = false;

  /** @param environment of a process, beside that of this one */
  constructor(count: number, logger: Logger, environment: () => NodeJS.ProcessEnv) {
    this.#logger = logger;
    this.#environment = environment;
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
  async serve(connection: Connection): Promise<Listening> {
    const order: ServeOrder = { type: 'serve', connection };
    this.#order = order;
    const [listening] = await Promise.all(processes().map((worker) => started(worker, order)));
    if (listening === undefined) throw new StartupError('there is no API process');
    // Where any port would do, those that come later take the one that is known.
    this.#order = { ...order, port: listening.port };
    cluster.on('exit', (worker, code, signal) => {
      this.#replace(worker, code, signal);
    });
    return listening;
  }

  /** Ends the processes once their requests under way are answered. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(processes().map((worker) => ended(worker, this.#order !== undefined)));
  }

  #replace(worker: Worker, code: number, signal: string | null): void {
    const order = this.#order;
    if (this.#stopping || order === undefined) return;
    this.#logger.error(
      { process_id: worker.process.pid, code, signal },
      'an API process ended and is replaced',
    );
    const life = performance.now() - (this.#startedAt.get(worker) ?? 0);
    setTimeout(
      () => {
        if (this.#stopping) return;
        started(this.#fork(), order).catch((error: unknown) => {
          this.#logger.error({ err: error }, 'an API process could not be replaced');
        });
      },
      life < shortLife ? replaceAfter : 0,
    );
  }

  #fork(): Worker {
    const worker = cluster.fork(this.#environment());
    this.#startedAt.set(worker, performance.now());
    return worker;
  }
}

const processes = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

const tell = (worker: Worker, message: ToApiProcess): void => {
  if (worker.isConnected()) worker.send(message);
};

function started(worker: Worker, order: ServeOrder): Promise<Listening> {
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
    tell(worker, order);
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
