import pg from 'pg';
import { Backoff, pause } from '#infra/backoff.ts';
import type { Logger } from '#ports/logger.ts';

/** The first key of the advisory locks; the second is the worker's. */
const lockClass = 4_650_122;
const lock = 'select pg_advisory_lock($1, hashtext(id)) from unnest($2::text[]) as id';
const unlock = 'select pg_advisory_unlock($1, hashtext($2))';

export type LivenessSettings = {
  connection: pg.ClientConfig;
  /** Between two looks for workers that died, in milliseconds. */
  sweepInterval: number;
  logger: Logger;
};

/**
 * Each worker holds a lock for as long as its process lives, so that the jobs of one that died are free again in a
 * moment: graphile-worker by itself waits for four hours.
 */
export class Liveness {
  readonly #settings: LivenessSettings;
  readonly #stopped = new AbortController();
  readonly #own = new Set<string>();
  /** Seen without a lock at the last look: a connection that broke may just be made again. */
  #suspects = new Set<string>();
  /** Undefined: there is no connection, and when there is, all locks are taken. */
  #client: pg.Client | undefined;
  #connected = Promise.withResolvers<undefined>();
  #running: Promise<void> = Promise.resolve();
  /** The last thing asked of the connection, which answers one at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #locked: Promise<unknown> = Promise.resolve();

  constructor(settings: LivenessSettings) {
    this.#settings = settings;
  }

  start(): void {
    this.#running = this.#keepRunning();
  }

  hold(workerId: string): void {
    this.#own.add(workerId);
    const client = this.#client;
    if (client !== undefined) this.#lock(client, [workerId]);
  }

  release(workerId: string): void {
    this.#own.delete(workerId);
    if (this.#client !== undefined) {
      this.#ask(this.#client, unlock, [lockClass, workerId]).catch(() => undefined);
    }
  }

  /** Resolves when every worker has its lock: before that, none may take a job. */
  async held(): Promise<void> {
    await this.#connected.promise;
    await this.#locked;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    const backoff = new Backoff(50, 5_000);
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        await this.#run(() => {
          backoff.reset();
        });
      } catch (error) {
        if (signal.aborted) return;
        this.#settings.logger.warn({ err: error }, 'the locks of workers were lost, and are taken again');
        await backoff.pause(signal);
      }
    }
  }

  async #run(succeeded: () => void): Promise<void> {
    const { connection, sweepInterval } = this.#settings;
    let connected = false;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopped.signal, lost.signal]);
    const client = new pg.Client({ ...connection, keepAlive: true, application_name: 'holdfast workers' });
    client.on('error', () => {
      lost.abort();
    });
    try {
      await client.connect();
      this.#client = client;
      this.#lock(client, [...this.#own]);
      await this.#locked;
      this.#connected.resolve(undefined);
      connected = true;
      succeeded();
      while (!signal.aborted) {
        await this.#sweep(client);
        await pause(sweepInterval, signal);
      }
      if (lost.signal.aborted && !this.#stopped.signal.aborted) throw new Error('the connection broke');
    } finally {
      this.#client = undefined;
      // Those who wait for the first connection go on waiting.
      if (connected) this.#connected = Promise.withResolvers<undefined>();
      await client.end().catch(() => undefined);
    }
  }

  /** Frees the jobs of workers that were seen dead twice. */
  async #sweep(client: pg.Client): Promise<void> {
    const rows = await this.#ask<{ id: string; is_dead: boolean }>(
      client,
      `select id, pg_try_advisory_lock($1, hashtext(id)) as is_dead
       from (select distinct locked_by as id from graphile_worker.jobs
             where locked_by <> all ($2::text[])) as held`,
      [lockClass, [...this.#own]],
    );
    const dead = rows.filter(({ is_dead }) => is_dead).map(({ id }) => id);
    for (const id of dead) await this.#ask(client, unlock, [lockClass, id]);
    const certain = dead.filter((id) => this.#suspects.has(id));
    this.#suspects = new Set(dead);
    if (certain.length > 0) {
      await this.#ask(client, 'select graphile_worker.force_unlock_workers($1)', [certain]);
    }
  }

  #lock(client: pg.Client, workerIds: readonly string[]): void {
    const locking = this.#ask(client, lock, [lockClass, workerIds]);
    this.#locked = Promise.all([this.#locked.catch(() => undefined), locking]);
    // Whoever waits for it is told.
    this.#locked.catch(() => undefined);
  }

  #ask<Row extends object>(client: pg.Client, text: string, values: readonly unknown[]): Promise<Row[]> {
    const asked = this.#turn
      .catch(() => undefined)
      .then(async () => (await client.query<Row>(text, [...values])).rows);
    this.#turn = asked;
    return asked;
  }
}
