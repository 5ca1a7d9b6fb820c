import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  caughtUpResponse,
  checkpointResponse,
  confirmationResponse,
  eventResponse,
  streamNameOf,
  streamNotFoundResponse,
} from '#test/support/eventstoredb/messages.ts';
import type { LogRecord, RecordLog } from '#test/support/eventstoredb/recordLog.ts';

type Send = (response: ReadResp) => void;

/** Filtered-out records looked at between two checkpoints, times the interval that the subscriber asks for. */
const searchWindow = 32;

export function readStream(log: RecordLog, options: ReadReq.Options): ReadResp[] {
  const from = options.getStream();
  if (from === undefined) throw new Error('not a read of a stream');
  const records = log.stream(streamNameOf(from));
  if (records.length === 0) return [streamNotFoundResponse(streamNameOf(from))];
  const ordered = inDirection(records, options);
  const revision = from.hasRevision() ? BigInt(from.getRevision()) : undefined;
  const started = ordered.filter(
    (record) => revision === undefined || !isBefore(record.revision, revision, options),
  );
  return limited(started, options).map(eventResponse);
}

/** From a position on, the record at it included. */
export function readAll(log: RecordLog, options: ReadReq.Options): ReadResp[] {
  const from = startPosition(options);
  const ordered = inDirection(log.records, options);
  const started = ordered.filter((record) => from === undefined || !isBefore(record.position, from, options));
  return limited(started, options).map(eventResponse);
}

/** The records after a position, then those that come, until the returned function is called. */
export function subscribeToAll(log: RecordLog, options: ReadReq.Options, send: Send): () => void {
  const matches = filterOf(options);
  const interval = searchWindow * (options.getFilter()?.getCheckpointintervalmultiplier() ?? 1);
  const after = startPosition(options) ?? (options.getAll()?.hasEnd() === true ? lastPosition(log) : -1n);
  let next = log.records.findIndex((record) => record.position > after);
  if (next < 0) next = log.records.length;
  let considered = 0;

  const deliver = () => {
    for (; next < log.records.length; next += 1) {
      const record = log.records[next];
      if (record === undefined) return;
      if (matches(record)) send(eventResponse(record));
      considered += 1;
      if (considered % interval === 0) send(checkpointResponse(record.position));
    }
  };
  send(confirmationResponse(crypto.randomUUID()));
  deliver();
  send(caughtUpResponse());
  log.on('appended', deliver);
  return () => log.off('appended', deliver);
}

function inDirection(records: readonly LogRecord[], options: ReadReq.Options): readonly LogRecord[] {
  return isBackwards(options) ? records.toReversed() : records;
}

function isBackwards(options: ReadReq.Options): boolean {
  return options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
}

function isBefore(value: bigint, start: bigint, options: ReadReq.Options): boolean {
  return isBackwards(options) ? value > start : value < start;
}

function limited(records: readonly LogRecord[], options: ReadReq.Options): LogRecord[] {
  return records.slice(0, Number(options.getCount()));
}

function startPosition(options: ReadReq.Options): bigint | undefined {
  const position = options.getAll()?.getPosition();
  return position === undefined ? undefined : BigInt(position.getCommitPosition());
}

function lastPosition(log: RecordLog): bigint {
  return log.records.at(-1)?.position ?? -1n;
}

function filterOf(options: ReadReq.Options): (record: LogRecord) => boolean {
  const filter = options.getFilter();
  if (filter === undefined) return () => true;
  const byStream = filter.getStreamIdentifier();
  const expression = byStream ?? filter.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const pattern = new RegExp(expression?.getRegex() ?? '');
  return (record) => {
    const subject = byStream === undefined ? record.type : record.stream;
    return prefixes.length > 0
      ? prefixes.some((prefix) => subject.startsWith(prefix))
      : pattern.test(subject);
  };
}
