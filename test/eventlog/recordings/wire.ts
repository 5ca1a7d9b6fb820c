import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import * as grpc from '@grpc/grpc-js';
import type { Place } from '#test/support/eventstoredb/messages.ts';

export type Streams = InstanceType<typeof streamServices.StreamsClient>;
export type ToAppend = { id: string; data?: Uint8Array; metadata?: string };
export type WireFailure = { code: number; details: string; exception?: string };
export type Message = {
  kind: 'confirmation' | 'caughtUp' | 'event' | 'checkpoint' | 'error';
  text?: string;
} & {
  place?: Place;
};

const { AppendReq, ReadReq } = messages;

export function openStreams(port: number): Streams {
  return new streamServices.StreamsClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
}

/** Through the stubs, without what the client makes of an answer. */
export function append(
  streams: Streams,
  stream: string,
  expected: 'none' | 'any' | bigint,
  events: readonly ToAppend[],
): Promise<AppendResp | WireFailure> {
  return new Promise((resolve) => {
    const call = streams.append(new grpc.Metadata(), (error, response) => {
      resolve(error === null ? response : failureOf(error));
    });
    const options = new AppendReq.Options().setStreamIdentifier(identifier(stream));
    if (expected === 'none') options.setNoStream(new sharedMessages.Empty());
    else if (expected === 'any') options.setAny(new sharedMessages.Empty());
    else options.setRevision(String(expected));
    call.write(new AppendReq().setOptions(options));
    for (const { id, data = Buffer.from('{}'), metadata = '' } of events) {
      const proposed = new AppendReq.ProposedMessage().setId(new sharedMessages.UUID().setString(id));
      proposed.getMetadataMap().set('type', 'recorded').set('content-type', 'application/json');
      proposed.setData(data).setCustomMetadata(Buffer.from(metadata));
      call.write(new AppendReq().setProposedMessage(proposed));
    }
    call.end();
  });
}

export function readStream(streams: Streams, stream: string): Promise<ReadResp[] | WireFailure> {
  const options = new ReadReq.Options()
    .setStream(
      new ReadReq.Options.StreamOptions()
        .setStreamIdentifier(identifier(stream))
        .setStart(new sharedMessages.Empty()),
    )
    .setCount('1000')
    .setNoFilter(new sharedMessages.Empty())
    .setUuidOption(new ReadReq.Options.UUIDOption().setString(new sharedMessages.Empty()));
  const answers: ReadResp[] = [];
  return new Promise((resolve) => {
    streams
      .read(new ReadReq().setOptions(options))
      .on('data', (answer: ReadResp) => answers.push(answer))
      .on('error', (error: grpc.ServiceError) => {
        resolve(failureOf(error));
      })
      .on('end', () => {
        resolve(answers);
      });
  });
}

/** A filtered subscription to `$all`, and what has come so far. */
export function subscribe(
  streams: Streams,
  prefix: string,
  from: Place | undefined,
  { window, interval }: { window: number; interval: number },
): { messages: Message[]; close(): void } {
  const all = new ReadReq.Options.AllOptions();
  if (from === undefined) all.setStart(new sharedMessages.Empty());
  else {
    const position = new ReadReq.Options.Position();
    all.setPosition(position.setCommitPosition(String(from.commit)).setPreparePosition(String(from.prepare)));
  }
  const filter = new ReadReq.Options.FilterOptions()
    .setStreamIdentifier(new ReadReq.Options.FilterOptions.Expression().setPrefixList([prefix]))
    .setMax(window)
    .setCheckpointintervalmultiplier(interval);
  const options = new ReadReq.Options()
    .setAll(all)
    .setSubscription(new ReadReq.Options.SubscriptionOptions())
    .setFilter(filter)
    .setUuidOption(new ReadReq.Options.UUIDOption().setString(new sharedMessages.Empty()));
  const received: Message[] = [];
  const call = streams.read(new ReadReq().setOptions(options));
  call
    .on('data', (answer: ReadResp) => received.push(messageOf(answer)))
    .on('error', ({ code, details }: grpc.ServiceError) =>
      received.push({ kind: 'error', text: `${code} ${details}` }),
    );
  return {
    messages: received,
    close: () => {
      call.cancel();
    },
  };
}

function messageOf(answer: ReadResp): Message {
  if (answer.hasConfirmation()) return { kind: 'confirmation' };
  if (answer.hasCaughtUp()) return { kind: 'caughtUp' };
  const checkpoint = answer.getCheckpoint();
  if (checkpoint === undefined) return { kind: 'event' };
  const place = {
    commit: BigInt(checkpoint.getCommitPosition()),
    prepare: BigInt(checkpoint.getPreparePosition()),
  };
  return { kind: 'checkpoint', place };
}

function failureOf({ code, details, metadata }: grpc.ServiceError): WireFailure {
  const exception = metadata.get('exception')[0];
  return { code, details, ...(exception === undefined ? {} : { exception: exception.toString() }) };
}

function identifier(stream: string): InstanceType<typeof sharedMessages.StreamIdentifier> {
  return new sharedMessages.StreamIdentifier().setStreamName(Buffer.from(stream));
}
