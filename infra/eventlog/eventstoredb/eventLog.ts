import { checkAppends } from '#infra/eventlog/checkAppends.ts';
import { append, appendAll } from '#infra/eventlog/eventstoredb/appender.ts';
import { connect } from '#infra/eventlog/eventstoredb/connection.ts';
import type { Connection } from '#infra/eventlog/eventstoredb/connection.ts';
import { logIdentity } from '#infra/eventlog/eventstoredb/logIdentity.ts';
import { readOwner, writeOwner } from '#infra/eventlog/eventstoredb/logOwner.ts';
import { comparePositions } from '#infra/eventlog/eventstoredb/positions.ts';
import {
  head,
  lastRecordAt,
  readAll,
  readStream,
  readStreamEnd,
} from '#infra/eventlog/eventstoredb/reader.ts';
import { subscribe } from '#infra/eventlog/eventstoredb/subscription.ts';
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
import { LogUnavailable } from '#ports/eventLog.ts';
import type { Logger } from '#ports/logger.ts';

export type EventStoreDbEventLogOptions = {
  /** `esdb://…`, `esdb+discover://…` or the same with `kurrentdb`; a user and password unless it says `tls=false`. */
  connectionString: string;
  /** Stands before every stream's name on the server, and nowhere else. */
  streamPrefix: string;
  /** After so much silence a subscription looks at the log itself, in milliseconds. */
  watchdog?: number;
  logger?: Logger;
};

/**
 * The event log on EventStoreDB or KurrentDB, version 23.10 or later. One for a process.
 * @throws SettingError when the connection string is wrong
 */
export function createEventStoreDbEventLog(options: EventStoreDbEventLogOptions): EventLog {
  return new EventStoreDbEventLog(options);
}

class EventStoreDbEventLog implements EventLog {
  readonly atomicAcrossStreams = false;
  readonly mayLag = true;
  readonly #connection: Connection;
  readonly #watchdog: number;
  readonly #logger: Logger | undefined;
  readonly #closed = new AbortController();

  constructor({ connectionString, streamPrefix, watchdog, logger }: EventStoreDbEventLogOptions) {
    this.#connection = connect(connectionString, streamPrefix);
    this.#watchdog = watchdog ?? 5_000;
    this.#logger = logger;
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<Appended> {
    const single = { stream, expected, events };
    this.#check([single]);
    return append(this.#connection, single);
  }

  async appendAll(appends: readonly Append[]): Promise<AppendVerdict[]> {
    this.#check(appends);
    return appendAll(this.#connection, appends);
  }

  readStream(stream: string, from = 0n): Promise<RecordedEvent[]> {
    return readStream(this.#connection, stream, from);
  }

  readStreamEnd(stream: string, limit: number): Promise<RecordedEvent[]> {
    return readStreamEnd(this.#connection, stream, limit);
  }

  readAll(after: Position | null, limit: number, types?: readonly string[]): Promise<LogPage> {
    return readAll(this.#connection, after, limit, types);
  }

  subscribe(
    after: Position | null,
    types: readonly string[] | undefined,
    signal: AbortSignal,
  ): AsyncIterable<LogPage> {
    return subscribe({
      connection: this.#connection,
      after,
      types,
      signal: AbortSignal.any([signal, this.#closed.signal]),
      watchdog: this.#watchdog,
      logger: this.#logger,
    });
  }

  /** Other people's records and the server's own count as well: it is never behind a page's `scanned`. */
  head(): Promise<Position | null> {
    return head(this.#connection);
  }

  logId(): Promise<string> {
    return logIdentity(this.#connection);
  }

  owner(): Promise<string | null> {
    return readOwner(this.#connection);
  }

  giveTo(owner: string, instead: string | null): Promise<boolean> {
    return writeOwner(this.#connection, owner, instead);
  }

  comparePositions(a: Position, b: Position): number {
    return comparePositions(a, b);
  }

  lastRecordAt(position: Position): Promise<Position | null> {
    return lastRecordAt(this.#connection, position);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#connection.client.dispose();
  }

  #check(appends: readonly Append[]): void {
    checkAppends(appends);
    if (this.#closed.signal.aborted) throw new LogUnavailable('the event log is closed');
  }
}
