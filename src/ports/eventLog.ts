import type { JsonObject } from '#ports/json.ts';

/** A place in the log. Opaque: compare with {@link EventLog.comparePositions} only. */
export type Position = string;

/** The revision a stream must have for an append to happen; `'none'`: the stream must not exist. */
export type ExpectedRevision = 'none' | bigint;

export type Actor = { type: 'application' | 'system' | 'operator'; id: string };

export type EventMetadata = {
  tenant_id: string;
  actor: Actor;
  /** Always a uuid, whatever the client sent. */
  trace_id: string;
  command_id: string;
  schema_version: number;
  /** ISO 8601, UTC, milliseconds. */
  occurred_at: string;
  /** The IP address that the request came from; absent when no request asked. */
  client_address?: string;
  /** The key, or session, that the application used; absent when no request asked. */
  key_id?: string;
  /** Over what the event leaves of the rights that its stream is about; absent where they are not signed. */
  mac?: string;
};

export type EventToAppend = {
  /** A uuid derived from the command, so that a repeated append is recognised. */
  id: string;
  type: string;
  data: JsonObject;
  metadata: EventMetadata;
};

export type RecordedEvent = EventToAppend & {
  stream: string;
  revision: bigint;
  position: Position;
  /** Grows with the position; two events of one append may share it. */
  ordinal: bigint;
  /** Why the data must not be read: a later version of the code wrote it, in another shape. */
  unreadable?: string;
};

export type Append = { stream: string; expected: ExpectedRevision; events: readonly EventToAppend[] };

export type Appended = { outcome: 'appended'; revision: bigint; position: Position };
export type Conflict = {
  outcome: 'conflict';
  stream: string;
  expected: ExpectedRevision;
  actual: ExpectedRevision;
};
/** An earlier member of the same list was refused, so this one was not tried, or was undone. */
export type NotAttempted = { outcome: 'not_attempted' };
export type AppendVerdict = Appended | Conflict | NotAttempted;

export type LogPage = {
  events: RecordedEvent[];
  /** Everything up to here was looked at, filtered-out events included. Null: the log is empty. */
  scanned: Position | null;
  /** Whether the page reached the end of the log. */
  atHead: boolean;
};

/** An ordered log of events in streams. Two engines implement it and pass one contract suite. */
export interface EventLog {
  /** Whether {@link appendAll} is all or nothing. */
  readonly atomicAcrossStreams: boolean;
  /**
   * Appends when the stream has exactly the expected revision. A repetition with the same event ids at the
   * same expected revision answers the first result.
   * @throws WrongExpectedRevision with the actual revision
   * @throws LogUnavailable when nothing was written for certain
   * @throws AppendTooLarge
   * @throws StreamLost when somebody else deleted the stream
   * @throws UnknownOutcome when it may or may not have been written: append the same again to find out
   */
  append(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<Appended>;
  /**
   * Appends to several streams, a verdict for each. After a conflict nothing more is tried; what was under way
   * beside it may be written.
   */
  appendAll(appends: readonly Append[]): Promise<AppendVerdict[]>;
  /**
   * All events of a stream from a revision on, oldest first; empty when the stream does not exist.
   * @throws EventTooNew
   * @throws StreamLost when its beginning was asked for and is gone
   */
  readStream(stream: string, from?: bigint): Promise<RecordedEvent[]>;
  /**
   * The last events of a stream, `limit` at most, oldest first; empty when the stream does not exist.
   * @throws EventTooNew
   */
  readStreamEnd(stream: string, limit: number): Promise<RecordedEvent[]>;
  /** A page of all events after a position (null: from the beginning), in log order. */
  readAll(after: Position | null, limit: number, types?: readonly string[]): Promise<LogPage>;
  /** Pages without end: what is there first, then what comes, until the signal aborts; resumes by itself. */
  subscribe(
    after: Position | null,
    types: readonly string[] | undefined,
    signal: AbortSignal,
  ): AsyncIterable<LogPage>;
  /** The position of the last event, or null when the log is empty. */
  head(): Promise<Position | null>;
  /** Names this log for ever: a checkpoint of another log is refused. */
  logId(): Promise<string>;
  /** The installation that the log belongs to; null: to none yet. @throws LogUnavailable */
  owner(): Promise<string | null>;
  /**
   * Gives the log to an installation, if it still belongs to the one that is named; false: it does not.
   * @throws LogUnavailable @throws UnknownOutcome
   */
  giveTo(owner: string, instead: string | null): Promise<boolean>;
  comparePositions(a: Position, b: Position): number;
  /**
   * The last record at or before a position that was saved. Earlier versions saved places between records, behind
   * the last one, or nowhere (null); a position of a record is answered as it is, whether the log holds it or not.
   */
  lastRecordAt(position: Position): Promise<Position | null>;
  /** Whether {@link head} may be answered by a node that lags behind what was read before. */
  readonly mayLag: boolean;
  close(): Promise<void>;
}

export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: ExpectedRevision;
  constructor(stream: string, expected: ExpectedRevision, actual: ExpectedRevision) {
    super(`a stream was expected at revision ${expected} and is at ${actual}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The log could not be reached, and the append was not made. */
export class LogUnavailable extends Error {
  override readonly name: string = 'LogUnavailable';
}

/** The log is there and does not take this process: a wrong certificate, user, password or right. */
export class LogRefused extends LogUnavailable {
  override readonly name = 'LogRefused';
}

/** Somebody else deleted or truncated a stream: what it said is not there any more. Trying again does not help. */
export class StreamLost extends Error {
  override readonly name = 'StreamLost';
}

/** The events of one append are larger than the log takes. Nothing was written. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}

/** A later version of the code wrote an event, in a shape that this one does not know. */
export class EventTooNew extends Error {
  override readonly name = 'EventTooNew';
  /** What was read, as it lies in the log. */
  readonly found: readonly RecordedEvent[];
  constructor(message: string, found: readonly RecordedEvent[]) {
    super(message);
    this.found = found;
  }
}

/** @throws EventTooNew */
export function refuseUnreadable(event: RecordedEvent): void {
  if (event.unreadable !== undefined) throw new EventTooNew(event.unreadable, [event]);
}

/** The connection broke, or time ran out, with an append under way. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}

/** The log is not the one that this installation writes to, or it has lost events: one sentence says which, and what to do. */
export class WrongLog extends Error {
  override readonly name = 'WrongLog';
}
