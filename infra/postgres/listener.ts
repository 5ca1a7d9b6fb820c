import pg from 'pg';
import { Backoff, pause } from '#infra/backoff.ts';
import type { Logger } from '#ports/logger.ts';

export type ListenerOptions = {
  connection: pg.ClientConfig;
  /**
   * How often a `select 1` goes to the server and back, in milliseconds: this keeps {@link Listener.lastHeardAt}
   * fresh and finds a connection that died in silence. 5,000 unless said otherwise.
   */
  heartbeat?: number;
  /**
   * Called whenever listening has begun, the first time included: what was notified before is not known.
   * It runs before {@link Listener.lastHeardAt} moves, so a cache that trusts that figure is emptied in time.
   */
  onReconnect?: () => void;
  logger?: Logger | undefined;
};

type NotificationHandler = (payload: string) => void;

/** An unanswered heartbeat ends the connection after so many milliseconds, or four heartbeats if longer. */
const shortestPatience = 1_000;

/**
 * LISTEN on a connection of its own, which it opens at the first {@link listen} and opens again whenever it
 * breaks. Notifications sent meanwhile are lost: poll as well, or start over in `onReconnect`.
 */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #heartbeat: number;
  readonly #handlers = new Map<string, Set<NotificationHandler>>();
  readonly #closed = new AbortController();
  readonly #connected = Promise.withResolvers<undefined>();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;
  #lastHeardAt = -Infinity;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#heartbeat = options.heartbeat ?? 5_000;
  }

  /**
   * When the last heartbeat that was answered had been sent, on the clock of `performance.now()`: whatever was
   * committed before has been delivered. `-Infinity` before the first.
   */
  get lastHeardAt(): number {
    return this.#lastHeardAt;
  }

  /** Calls back with the payload of each notification, until the returned function is called. */
  listen(channel: string, onNotification: NotificationHandler): () => void {
    const handlers = this.#handlers.get(channel) ?? new Set();
    handlers.add(onNotification);
    if (!this.#handlers.has(channel)) {
      this.#handlers.set(channel, handlers);
      // A failure means that the connection is gone; the next one listens to every channel.
      this.#client?.query(listenStatement(channel)).catch(() => undefined);
    }
    this.#running ??= this.#run();
    return () => {
      handlers.delete(onNotification);
    };
  }

  /** Resolves when listening began for the first time. */
  connected(): Promise<void> {
    return this.#connected.promise;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const backoff = new Backoff(50, 1_000);
    while (!this.#closed.signal.aborted) {
      try {
        await this.#session(() => {
          backoff.reset();
        });
      } catch (error) {
        if (this.#closed.signal.aborted) return;
        this.#options.logger?.warn({ err: error }, 'the listening connection broke and is opened again');
      }
      await backoff.pause(this.#closed.signal);
    }
  }

  /** One connection, from opening to its end. */
  async #session(begun: () => void): Promise<void> {
    const { client, over } = this.#open();
    try {
      await client.connect();
      this.#client = client;
      let askedAt = performance.now();
      await client.query([...this.#handlers.keys()].map(listenStatement).join(';'));
      begun();
      this.#options.onReconnect?.();
      this.#connected.resolve(undefined);
      while (!over.aborted) {
        this.#lastHeardAt = askedAt;
        await pause(this.#heartbeat, over);
        askedAt = performance.now();
        if (!over.aborted) await client.query('select 1');
      }
    } finally {
      this.#client = undefined;
      await client.end().catch(() => undefined);
    }
  }

  /** A client, not connected yet, and a signal that its connection broke or that this listener is closed. */
  #open(): { client: pg.Client; over: AbortSignal } {
    const patience = Math.max(shortestPatience, 4 * this.#heartbeat);
    const client = new pg.Client({
      ...this.#options.connection,
      application_name: `holdfast listener ${process.pid}`,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
      keepAlive: true,
    });
    const broken = new AbortController();
    const breakOff = () => {
      broken.abort();
    };
    client.on('error', breakOff);
    client.on('end', breakOff);
    client.on('notification', ({ channel, payload }) => {
      this.#handlers.get(channel)?.forEach((handler) => {
        handler(payload ?? '');
      });
    });
    return { client, over: AbortSignal.any([broken.signal, this.#closed.signal]) };
  }
}

function listenStatement(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`;
}
