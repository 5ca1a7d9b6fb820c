import { BACKWARDS, END, START, StreamNotFoundError } from '@eventstore/db-client';
import type { StreamingRead } from '@eventstore/db-client';
import type { Connection } from '#infra/eventlog/eventstoredb/connection.ts';
import { readFailure } from '#infra/eventlog/eventstoredb/failure.ts';
import { comparePositions, formatPosition, parsePosition } from '#infra/eventlog/eventstoredb/positions.ts';
import { domainEvents } from '#infra/eventlog/eventstoredb/recordedEvent.ts';
import type { StoredEvent } from '#infra/eventlog/eventstoredb/recordedEvent.ts';
import type { LogPage, Position, RecordedEvent } from '#ports/eventLog.ts';

/** The client gives reads no deadline; in milliseconds. */
const readTimeout = 10_000;

/** A stream that does not exist is empty. */
export async function readStream(
  { client, names }: Connection,
  stream: string,
  fromRevision: bigint,
): Promise<RecordedEvent[]> {
  try {
    const read = client.readStream<StoredEvent>(names.onServer(stream), { fromRevision });
    return domainEvents((await collect(read)).flatMap(recordOf), names);
  } catch (error) {
    if (error instanceof StreamNotFoundError) return [];
    throw error;
  }
}

/** The last events of a stream, oldest first. */
export async function readStreamEnd(
  { client, names }: Connection,
  stream: string,
  limit: number,
): Promise<RecordedEvent[]> {
  try {
    const read = client.readStream<StoredEvent>(names.onServer(stream), {
      direction: BACKWARDS,
      fromRevision: END,
      maxCount: limit,
    });
    return domainEvents((await collect(read)).flatMap(recordOf).reverse(), names);
  } catch (error) {
    if (error instanceof StreamNotFoundError) return [];
    throw error;
  }
}

/** The revision of a stream's last event. */
export async function streamHead({ client, names }: Connection, stream: string): Promise<bigint | 'none'> {
  try {
    const read = client.readStream(names.onServer(stream), {
      direction: BACKWARDS,
      fromRevision: END,
      maxCount: 1,
    });
    const [last] = await collect(read);
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
  { client, names }: Connection,
  after: Position | null,
  limit: number,
  types?: readonly string[],
): Promise<LogPage> {
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

/** The position of the server's last record, whoever wrote it. */
export async function head({ client }: Connection): Promise<Position | null> {
  const [last] = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
  return last?.event === undefined ? null : formatPosition(last.event.position);
}

/** Reads to the end. @throws LogUnavailable */
export async function collect<Resolved>(read: StreamingRead<Resolved>): Promise<Resolved[]> {
  const timer = setTimeout(() => {
    read.destroy(new Error('reading the event log took too long', { cause: { code: 'ETIMEDOUT' } }));
  }, readTimeout);
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
