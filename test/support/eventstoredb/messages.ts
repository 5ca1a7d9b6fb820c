import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type {
  AppendAnswer,
  Expectation,
  LogRecord,
  ProposedRecord,
} from '#test/support/eventstoredb/recordLog.ts';

/** As a server tells it; records have one number for both, checkpoints may not. */
export type Place = { commit: bigint; prepare: bigint };

const ticksPerMillisecond = 10_000n;
const nowhere = 2n ** 64n - 1n;

/** What is answered; a tombstone is an error. */
export type AppendSuccess = Exclude<AppendAnswer, { outcome: 'tombstone' }>;

export function expectationOf(options: AppendReq.Options): Expectation {
  if (options.hasNoStream()) return null;
  if (options.hasRevision()) return BigInt(options.getRevision());
  if (options.hasAny()) return 'any';
  throw new Error('this server does not know the expectation of a stream that exists');
}

export function streamNameOf(holder: AppendReq.Options | ReadReq.Options.StreamOptions): string {
  const identifier = holder.getStreamIdentifier();
  if (identifier === undefined) throw new Error('a request names its stream');
  return Buffer.from(identifier.getStreamName_asU8()).toString('utf8');
}

export function proposedRecord(message: AppendReq.ProposedMessage): ProposedRecord {
  return {
    id: (message.getId()?.getString() ?? '').toLowerCase(),
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

export function appendResponse(answer: AppendSuccess, expected: Expectation): AppendResp {
  const response = new streams.AppendResp();
  if (answer.outcome === 'wrong') {
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (expected === null) wrong.setExpectedNoStream(new shared.Empty());
    else if (expected === 'any') wrong.setExpectedAny(new shared.Empty());
    else wrong.setExpectedRevision(String(expected));
    if (answer.actual === null) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(answer.actual));
    return response.setWrongExpectedVersion(wrong);
  }
  const success = new streams.AppendResp.Success();
  if (answer.outcome === 'nothing') {
    return response.setSuccess(success.setNoStream(new shared.Empty()).setPosition(appendedAt(nowhere)));
  }
  success.setCurrentRevision(String(answer.revision));
  if (answer.position === undefined) return response.setSuccess(success.setNoPosition(new shared.Empty()));
  return response.setSuccess(success.setPosition(appendedAt(answer.position)));
}

function appendedAt(position: bigint): AppendResp.Position {
  return new streams.AppendResp.Position()
    .setCommitPosition(String(position))
    .setPreparePosition(String(position));
}

export function eventResponse(record: LogRecord): ReadResp {
  const event = new streams.ReadResp.ReadEvent.RecordedEvent();
  event.setId(new shared.UUID().setString(record.id));
  event.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(record.stream, 'utf8')));
  event.setStreamRevision(String(record.revision));
  event.setCommitPosition(String(record.position)).setPreparePosition(String(record.position));
  event.setData(record.data).setCustomMetadata(record.metadata);
  event
    .getMetadataMap()
    .set('type', record.type)
    .set('content-type', record.contentType)
    .set('created', String(BigInt(record.created.getTime()) * ticksPerMillisecond));
  const read = new streams.ReadResp.ReadEvent().setEvent(event).setCommitPosition(String(record.position));
  return new streams.ReadResp().setEvent(read);
}

export function checkpointResponse({ commit, prepare }: Place): ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(commit)).setPreparePosition(String(prepare));
  return new streams.ReadResp().setCheckpoint(checkpoint);
}

export function confirmationResponse(id: string): ReadResp {
  return new streams.ReadResp().setConfirmation(
    new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(id),
  );
}

export function caughtUpResponse(): ReadResp {
  return new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());
}

export function streamNotFoundResponse(stream: string): ReadResp {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'));
  return new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier),
  );
}
