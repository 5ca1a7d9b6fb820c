import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresProcesses, signal } from '#infra/postgres/embedded/processes.ts';
import { readPostmasterFile } from '#infra/postgres/embedded/postmasterFile.ts';
import { childrenOf } from '#test/support/childrenOf.ts';
import { freePort } from '#test/support/freePort.ts';
import { startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

/** How long something took, in milliseconds, after it was killed. */
export type Recovery = {
  /** Until `/readyz` said so. */
  ready: number;
  /** Until PostgreSQL took connections again, where it was killed. */
  postgres?: number;
};

/** Called when the victim is dead. */
type OnKilled = () => void;
const nothing: OnKilled = () => undefined;

/** What a service must have recovered in at the latest, in milliseconds, so that a run goes on. */
const patience = 120_000;
/** In milliseconds. */
const askEvery = 50;

/** A service with its embedded PostgreSQL, on a port that it keeps, whose processes are killed. */
export class Victim {
  readonly #environment: Record<string, string>;
  readonly #directory: string;
  #service: ServiceProcess;

  private constructor(service: ServiceProcess, directory: string, environment: Record<string, string>) {
    this.#service = service;
    this.#directory = directory;
    this.#environment = environment;
  }

  static async start(directory: string, settings: Record<string, string>): Promise<Victim> {
    const environment = { ...settings, PORT: String(await freePort()) };
    return new Victim(await startService(directory, environment), directory, environment);
  }

  get service(): ServiceProcess {
    return this.#service;
  }

  get url(): string {
    return this.#service.url;
  }

  /** All processes that serve requests, at once. */
  async killApi(onKilled: OnKilled = nothing): Promise<Recovery> {
    const pids = childrenOf(this.#service, 'apiProcess.ts');
    if (pids.length === 0) throw new Error('no API process was found');
    const killed = performance.now();
    for (const pid of pids) signal(pid, 'SIGKILL');
    onKilled();
    return { ready: await this.#readyAfter(killed) };
  }

  /** The main process, which does the work behind requests and owns the others; it is started again at once. */
  async killMain(onKilled: OnKilled = nothing): Promise<Recovery> {
    const killed = performance.now();
    await this.#service.end('SIGKILL');
    onKilled();
    this.#service = await startService(this.#directory, this.#environment);
    return { ready: await this.#readyAfter(killed) };
  }

  /** Every process of PostgreSQL at once, as a power cut would. */
  killPostgres(onKilled: OnKilled = nothing): Promise<Recovery> {
    return this.#killOfPostgres(onKilled, (pids) => pids);
  }

  /** One of its processes: the server then ends the others and recovers by itself. */
  killBackend(random: (limit: number) => number, onKilled: OnKilled = nothing): Promise<Recovery> {
    return this.#killOfPostgres(onKilled, (pids, postmaster) => {
      const backends = pids.filter((pid) => pid !== postmaster);
      return backends.slice(random(backends.length)).slice(0, 1);
    });
  }

  async postmaster(): Promise<number> {
    const found = await readPostmasterFile(this.#cluster);
    if (found === undefined) throw new Error('PostgreSQL is not running');
    return found.pid;
  }

  postgres(): Promise<number[]> {
    return this.postmaster().then((pid) => postgresProcesses(this.#cluster, pid));
  }

  async #killOfPostgres(
    onKilled: OnKilled,
    choose: (pids: number[], postmaster: number) => number[],
  ): Promise<Recovery> {
    const postmaster = await this.postmaster();
    const pids = choose(await postgresProcesses(this.#cluster, postmaster), postmaster);
    const killed = performance.now();
    for (const pid of pids) signal(pid, 'SIGKILL');
    await until(() => pids.every((pid) => !isRunning(pid)), patience);
    onKilled();
    // A postmaster that lives does not say when its server is whole again.
    const restarts = pids.includes(postmaster);
    const postgres = restarts ? await this.#postgresBackAfter(killed, postmaster) : undefined;
    return { postgres, ready: await this.#readyAfter(killed) };
  }

  async #postgresBackAfter(killed: number, former: number): Promise<number> {
    await until(async () => {
      const found = await readPostmasterFile(this.#cluster);
      return found?.ready === true && found.pid !== former;
    }, patience);
    return performance.now() - killed;
  }

  get #cluster(): string {
    return join(this.#directory, 'postgres');
  }

  /**
   * Waits until the service says that it is ready. It is asked again before it has answered: a connection that is given
   * to a process in the moment of its death is never answered.
   */
  async #readyAfter(killed: number): Promise<number> {
    let readyAt: number | undefined;
    await until(async () => {
      void this.#isReady().then((isReady) => {
        if (isReady) readyAt ??= performance.now();
      });
      await sleep(askEvery);
      return readyAt;
    }, patience);
    return (readyAt ?? Infinity) - killed;
  }

  async #isReady(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.url}/readyz`, {
        headers: { Connection: 'close' },
        signal: AbortSignal.timeout(3_000),
      });
      await answer.arrayBuffer();
      return answer.status === 200;
    } catch {
      return false;
    }
  }
}

const isRunning = (pid: number): boolean => signal(pid, 0);
