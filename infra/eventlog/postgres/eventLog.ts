import type pg from 'pg';
import { asRole } from '#infra/postgres/connection.ts';
import type { Connection } from '#infra/postgres/connection.ts';
import { checkAppends } from '#infra/eventlog/checkAppends.ts';
import { readOwner, writeOwner } from '#infra/eventlog/postgres/owner.ts';
import { Reader } from '#infra/eventlog/postgres/reader.ts';
import { subscribe } from '#infra/eventlog/postgres/subscription.ts';
import { Writer } from '#infra/eventlog/postgres/writer.ts';
import { Wakeup } from '#infra/eventlog/wakeup.ts';
import { Listener } from '#infra/postgres/listener.ts';
import type {
  Append,
  Appended,
  AppendVerdict,
  EventLog,
  EventToAppend,
  ExpectedRevision,
  LogPage,
  Position,
  RecordedEvent,
} from '#ports/eventLog.ts';
import { LogUnavailable, WrongExpectedRevision } from '#ports/eventLog.ts';
import type { Logger } from '#ports/logger.ts';

const channel = 'holdfast_log';
const subscriptionPageSize = 1_000;

export type PostgresEventLogOptions = {
  /** Appends and reads; stays the caller's. The role `holdfast_log` is enough. */
  pool: pg.Pool;
  /** For the connection of its own that a subscription listens on. */
  connection: Connection;
  /** Most appends that share a transaction; 1 turns coalescing off. */
  batchSize?: number;
  logger?: Logger;
};

/** The embedded event log, in schema `event_log`. */
export function createPostgresEventLog(options: PostgresEventLogOptions): EventLog {
  return new PostgresEventLog(options);
}

class PostgresEventLog implements EventLog {
  readonly atomicAcrossStreams = true;
  readonly mayLag = false;
  readonly #pool: pg.Pool;
  readonly #writer: Writer;
  readonly #reader: Reader;
  readonly #connection: Connection;
  readonly #logger: Logger | undefined;
  readonly #closed = new AbortController();
  #listener: Listener | undefined;

  constructor({ pool, connection, batchSize, logger }: PostgresEventLogOptions) {
    this.#pool = pool;
    this.#writer = new Writer(pool, batchSize);
    this.#reader = new Reader(pool);
    this.#connection = connection;
    this.#logger = logger;
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<Appended> {
    const [verdict] = await this.appendAll([{ stream, expected, events }]);
    if (verdict?.outcome === 'appended') return verdict;
    if (verdict?.outcome === 'conflict') throw new WrongExpectedRevision(stream, expected, verdict.actual);
    throw new Error('the event log gave no verdict');
  }

  async appendAll(appends: readonly Append[]): Promise<AppendVerdict[]> {
    checkAppends(appends);
    if (appends.length === 0) return [];
    if (this.#closed.signal.aborted) throw new LogUnavailable('the event log is closed');
    return this.#writer.append(appends);
  }

  readStream(stream: string, from = 0n): Promise<RecordedEvent[]> {
    return this.#reader.readStream(stream, from);
  }

  readStreamEnd(stream: string, limit: number): Promise<RecordedEvent[]> {
    return this.#reader.readStreamEnd(stream, limit);
  }

  readAll(after: Position | null, limit: number, types?: readonly string[]): Promise<LogPage> {
    return this.#reader.readAll(after, limit, types);
  }

  async *subscribe(
    after: Position | null,
    types: readonly string[] | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<LogPage, void, undefined> {
    const wakeup = new Wakeup();
    const ended = AbortSignal.any([signal, this.#closed.signal]);
    const wake = () => {
      wakeup.wake();
    };
    ended.addEventListener('abort', wake);
    const unlisten = this.#listen(wake);
    try {
      yield* subscribe({
        after,
        readPage: (position) => this.#reader.readAll(position, subscriptionPageSize, types),
        wakeup,
        signal: ended,
        logger: this.#logger,
      });
    } finally {
      unlisten();
      ended.removeEventListener('abort', wake);
    }
  }

  head(): Promise<Position | null> {
    return this.#reader.head();
  }

  logId(): Promise<string> {
    return this.#reader.logId();
  }

  owner(): Promise<string | null> {
    return readOwner(this.#pool);
  }

  giveTo(owner: string, instead: string | null): Promise<boolean> {
    return writeOwner(this.#pool, owner, instead);
  }

  comparePositions(a: Position, b: Position): number {
    const difference = BigInt(a) - BigInt(b);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  /** All that was ever saved are positions of events. */
  lastRecordAt(position: Position): Promise<Position> {
    return Promise.resolve(position);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#listener?.close();
  }

  #listen(wake: () => void): () => void {
    this.#listener ??= new Listener({
      connection: asRole(this.#connection, 'log').config,
      logger: this.#logger,
    });
    return this.#listener.listen(channel, wake);
  }
}
