import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import type { Logger } from '#ports/logger.ts';
import { endLeftovers } from '#infra/postgres/embedded/leftovers.ts';
import { endPostmaster } from '#infra/postgres/embedded/processes.ts';
import { waitUntilReady } from '#infra/postgres/embedded/readiness.ts';
import { launchServer } from '#infra/postgres/embedded/server.ts';
import type { Server, ServerOptions } from '#infra/postgres/embedded/server.ts';
import { removeSocketDirectory } from '#infra/postgres/embedded/socketDirectory.ts';
import { Watchdog } from '#infra/postgres/embedded/watchdog.ts';
import { StartupError } from '#src/startupError.ts';

export type SupervisorOptions = {
  server: ServerOptions;
  connection: ClientConfig;
  /** Made for this supervisor, which removes it at the end. */
  socketDirectory: string;
  logger: Logger;
};

/** How long the first start is tried: what a killed server left behind takes a moment to go. In milliseconds. */
const startPatience = 5_000;

const shortestPause = 100;
const longestPause = 5_000;

/** Runs one server after the other in a cluster, until it is told to stop. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #watchdog: Watchdog;
  readonly #stopping = new AbortController();
  #server: Server | undefined;
  #supervision: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#watchdog = new Watchdog(options.socketDirectory, options.server.identity);
  }

  get connection(): ClientConfig {
    return this.#options.connection;
  }

  get pid(): number | undefined {
    return this.#server?.pid;
  }

  /** @throws StartupError when no server has come up in 5 s of trying */
  async start(): Promise<void> {
    const deadline = Date.now() + startPatience;
    try {
      await this.#startWithin(() => Date.now() < deadline);
    } catch (error) {
      await this.stop();
      const words = error instanceof Error ? error.message : String(error);
      throw new StartupError(`PostgreSQL does not start: ${words} (see ${this.#options.server.log})`, {
        cause: error,
      });
    }
    this.#supervision = this.#supervise();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    const server = this.#server;
    if (server?.pid !== undefined && !server.hasExited()) {
      await endPostmaster(server.pid, () => server.hasExited());
    }
    await this.#supervision;
    this.#watchdog.dismiss();
    await removeSocketDirectory(this.#options.socketDirectory);
  }

  async #supervise(): Promise<void> {
    while (this.#server !== undefined) {
      const exit = await this.#server.exited;
      this.#forget();
      if (this.#stopping.signal.aborted) return;
      this.#options.logger.error(exit, 'PostgreSQL ended by itself and is started again');
      await this.#startWithin(() => !this.#stopping.signal.aborted).catch(() => undefined);
    }
  }

  /** Tries, with longer and longer pauses, while it is worth trying. */
  async #startWithin(worthTrying: () => boolean): Promise<void> {
    for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
      try {
        return await this.#startOnce();
      } catch (error) {
        if (!worthTrying()) throw error;
        this.#options.logger.warn({ error, pause }, 'PostgreSQL did not start and is tried again');
      }
      await delay(pause, undefined, { signal: this.#stopping.signal });
    }
  }

  async #startOnce(): Promise<void> {
    const { connection, logger } = this.#options;
    const began = Date.now();
    await endLeftovers(this.#options.server.cluster, logger);
    this.#stopping.signal.throwIfAborted();
    const server = launchServer(this.#options.server);
    this.#watchdog.watch(server.pid);
    this.#server = server;
    try {
      await waitUntilReady(server, connection);
    } catch (error) {
      this.#forget();
      throw error;
    }
    logger.info({ postgres_pid: server.pid, milliseconds: Date.now() - began }, 'PostgreSQL is ready');
  }

  #forget(): void {
    this.#server = undefined;
    this.#watchdog.watch(undefined);
  }
}
