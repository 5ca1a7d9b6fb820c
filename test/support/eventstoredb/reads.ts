import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { eventResponse, streamNameOf, streamNotFoundResponse } from '#test/support/eventstoredb/messages.ts';
import type { LogRecord, RecordLog } from '#test/support/eventstoredb/recordLog.ts';
import { filterOf } from '#test/support/eventstoredb/subscriptionRequest.ts';

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
  const matches = filterOf(options);
  const ordered = inDirection(log.records, options).filter(matches);
  const started = ordered.filter((record) => from === undefined || !isBefore(record.position, from, options));
  return limited(started, options).map(eventResponse);
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
