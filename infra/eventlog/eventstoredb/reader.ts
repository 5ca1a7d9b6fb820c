import { BACKWARDS, END, START, StreamNotFoundError } from '@eventstore/db-client';
import type { StreamingRead } from '@eventstore/db-client';
import type { Connection } from '#infra/eventlog/eventstoredb/connection.ts';
import { atLeader, tryTime } from '#infra/eventlog/eventstoredb/deadline.ts';
import { readFailure } from '#infra/eventlog/eventstoredb/failure.ts';
import {
  comparePositions,
  formatPosition,
  isNowhere,
  isOfRecord,
  parsePosition,
} from '#infra/eventlog/eventstoredb/positions.ts';
import { domainEvents } from '#infra/eventlog/eventstoredb/recordedEvent.ts';
import type { StoredEvent } from '#infra/eventlog/eventstoredb/recordedEvent.ts';
import { LogUnavailable, StreamLost } from '#ports/eventLog.ts';
import type { LogPage, Position, RecordedEvent } from '#ports/eventLog.ts';

/** So much farther than the last record its end may lie: a record is smaller, in bytes. */
const largestRecord = 33_554_432n;

/**
 * A stream that does not exist is empty.
 * @throws StreamLost when it begins later than it was asked for
 */
export async function readStream(
  { client, names }: Connection,
  stream: string,
  fromRevision: bigint,
): Promise<RecordedEvent[]> {
  const options = { fromRevision, requiresLeader: true };
  try {
    const found = await atLeader(() =>
      collect(client.readStream<StoredEvent>(names.onServer(stream), options)),
    );
    const records = found.flatMap(recordOf);
    requireBeginning(stream, records[0]?.revision, fromRevision);
    return domainEvents(records, names);
  } catch (error) {
    if (error instanceof StreamNotFoundError) return [];
    throw error;
  }
}

/** @throws StreamLost */
function requireBeginning(stream: string, first: bigint | undefined, wanted: bigint): void {
  if (first === undefined || first <= wanted) return;
  throw new StreamLost(
    `the stream ${stream} was truncated on the event log's server: its first event is that of revision ${first}`,
  );
}

/**
 * The last events of a stream, oldest first.
 * @throws StreamLost when there are fewer than were asked for, and the stream's beginning is gone
 */
export async function readStreamEnd(
  { client, names }: Connection,
  stream: string,
  limit: number,
): Promise<RecordedEvent[]> {
  try {
    const options = {
      direction: BACKWARDS,
      fromRevision: END,
      maxCount: limit,
      requiresLeader: true,
    } as const;
    const found = await atLeader(() =>
      collect(client.readStream<StoredEvent>(names.onServer(stream), options)),
    );
    const records = found.flatMap(recordOf).reverse();
    if (records.length < limit) requireBeginning(stream, records[0]?.revision, 0n);
    return domainEvents(records, names);
  } catch (error) {
    if (error instanceof StreamNotFoundError) return [];
    throw error;
  }
}

/** The revision of a stream's last event. */
export async function streamHead({ client, names }: Connection, stream: string): Promise<bigint | 'none'> {
  try {
    const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader: true } as const;
    const [last] = await atLeader(() => collect(client.readStream(names.onServer(stream), options)));
    return last?.event?.revision ?? 'none';
  } catch (error) {
    if (error instanceof StreamNotFoundError) return 'none';
    throw error;
  }
}

/**
 * A page of `limit` records of the server, of which the wanted ones are left. The server reads from a position
 * on, not after it, so one more is asked for.
 */
export async function readAll(
  connection: Connection,
  saved: Position | null,
  limit: number,
  types?: readonly string[],
): Promise<LogPage> {
  const { client, names } = connection;
  const after = await startOf(connection, saved);
  const fromPosition = after === null ? START : parsePosition(after);
  const read = await collect(client.readAll({ fromPosition, maxCount: limit + 1 }));
  const records = read
    .flatMap(recordOf)
    .filter(({ position }) => after === null || comparePositions(formatPosition(position), after) > 0)
    .slice(0, limit);
  const last = records.at(-1)?.position;
  return {
    events: domainEvents(records, names, types),
    scanned: last === undefined ? after : formatPosition(last),
    atHead: read.length <= limit,
  };
}

/** The position of the server's last record, whoever wrote it, as the leader knows it. */
export async function head({ client }: Connection): Promise<Position | null> {
  const options = { direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true } as const;
  const [last] = await atLeader(() => collect(client.readAll(options)));
  return last?.event === undefined ? null : formatPosition(last.event.position);
}

/** As {@link EventLog.lastRecordAt}. */
export async function lastRecordAt(connection: Connection, saved: Position): Promise<Position | null> {
  const place = parsePosition(saved);
  if (isNowhere(place)) return null;
  if (isOfRecord(place)) return saved;
  const last = await head(connection);
  if (last === null) return place.commit === 0n ? null : saved;
  const end = parsePosition(last).commit;
  // Behind the last record, where a server of 25.0 says that a catch-up ended. Farther away, records are missing.
  if (place.commit > end) return place.commit - end < largestRecord ? last : saved;
  const options = {
    direction: BACKWARDS,
    fromPosition: { commit: place.commit, prepare: place.commit },
    maxCount: 2,
    requiresLeader: true,
  } as const;
  const before = await atLeader(() => collect(connection.client.readAll(options)));
  const found = before.flatMap(recordOf).find(({ position }) => position.commit < place.commit);
  return found === undefined ? null : formatPosition(found.position);
}

/** Where to go on from a saved position: a server passes over the record that it starts from unseen. */
export async function startOf(connection: Connection, saved: Position | null): Promise<Position | null> {
  return saved === null ? null : lastRecordAt(connection, saved);
}

/** Reads to the end, in the time of one try: the client gives reads no deadline. @throws LogUnavailable */
export async function collect<Resolved>(read: StreamingRead<Resolved>): Promise<Resolved[]> {
  const timer = setTimeout(() => {
    read.destroy(new LogUnavailable(`the event log did not answer a read in ${tryTime} ms`));
  }, tryTime);
  try {
    return await Array.fromAsync(read);
  } catch (error) {
    void read.cancel().catch(() => undefined);
    throw readFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Without links resolved, every answer of the server has its record. */
function recordOf<Record>({ event }: { event?: Record }): Record[] {
  return event === undefined ? [] : [event];
}
