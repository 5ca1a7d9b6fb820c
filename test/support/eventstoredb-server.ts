import { once } from 'node:events';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import serverFeatureMessages from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import * as grpc from '@grpc/grpc-js';
import { failures, notLeader, serviceError, tombstone } from '#test/support/eventstoredb/failures.ts';
import type { Failure } from '#test/support/eventstoredb/failures.ts';
import { FilteredSubscription } from '#test/support/eventstoredb/filteredSubscription.ts';
import type { Generation } from '#test/support/eventstoredb/generation.ts';
import { Gossip } from '#test/support/eventstoredb/gossip.ts';
import {
  appendResponse,
  expectationOf,
  proposedRecord,
  streamNameOf,
} from '#test/support/eventstoredb/messages.ts';
import { readAll, readStream } from '#test/support/eventstoredb/reads.ts';
import { RecordLog } from '#test/support/eventstoredb/recordLog.ts';
import type { ProposedRecord } from '#test/support/eventstoredb/recordLog.ts';
import { isImpossibleStart } from '#test/support/eventstoredb/subscriptionRequest.ts';

const appendLimit = 1_048_576;
/** Between an append's arrival and its answer, in milliseconds: what is the same meanwhile is lost. */
const commitTime = 2;
/** Real servers take 2 to 3 s for it. */
const commitTimeout = 500;

/** A new server is not empty. */
const firstRecord: ProposedRecord = {
  id: '7e0a1c3c-2f2b-4f0e-9d62-0c1f5a3b9d11',
  type: '$metadata',
  contentType: 'application/json',
  data: Buffer.from('{"$maxCount":100}'),
  metadata: Buffer.from('{}'),
};

type Tls = { certificate: string; key: string };
type Call = { metadata: grpc.Metadata };
type AppendReply = grpc.sendUnaryData<AppendResp>;
type StreamEnding = { emit(event: 'error', error: Partial<grpc.StatusObject>): boolean };

/**
 * As much of an EventStoreDB server as the event log uses, in memory: appends, reads, and catch-up subscriptions
 * to `$all`, answered as the recordings of its generation say. It speaks through the client package's own stubs,
 * so the client is real.
 *
 * `node test/support/eventstoredb-server.ts <port>` runs it as a process of its own.
 */
export class EventStoreDbServer {
  /** Survives {@link stop} and {@link restart}. */
  readonly log = new RecordLog();
  readonly generation: Generation;
  /** Whom it tells to belong to its cluster: itself alone, until a test says otherwise. */
  readonly gossip = new Gossip();
  /** Requests that it has had, by the name of their call. */
  readonly calls: Record<'append' | 'read' | 'readAll' | 'subscribe', number> = {
    append: 0,
    read: 0,
    readAll: 0,
    subscribe: 0,
  };
  /** Where calls that need a leader are sent; undefined: this node leads. */
  leader: { address: string; port: number } | undefined;
  /** Users may not read `$all`. */
  allDenied = false;
  #server: grpc.Server | undefined;
  #port: number;
  #silent = false;
  #hung = false;
  readonly #waiting: (() => void)[] = [];
  readonly #faults: { failure: Failure; written: boolean }[] = [];
  readonly #readFaults: Failure[] = [];
  readonly #inFlight = new Set<string>();
  readonly #subscriptions = new Set<{ fail(failure: Failure): void; end(): void }>();

  readonly #tls: Tls | undefined;

  private constructor(port: number, generation: Generation, tls: Tls | undefined) {
    this.#port = port;
    this.#tls = tls;
    this.generation = generation;
  }

  /** Port 0: a free one. */
  static async start(port = 0, generation: Generation = '24.10.4', tls?: Tls): Promise<EventStoreDbServer> {
    const server = new EventStoreDbServer(port, generation, tls);
    // A service has as many subscriptions as it has subscribers.
    server.log.setMaxListeners(0);
    server.log.append('$$$scavenges', null, [firstRecord]);
    await server.#listen();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  get connectionString(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`;
  }

  /** Cuts every call and connection off, as a crash would. */
  stop(): void {
    this.#server?.forceShutdown();
    this.#server = undefined;
    // Subscriptions that are cut off do not end themselves.
    for (const subscription of this.#subscriptions) subscription.end();
    this.#subscriptions.clear();
    this.#waiting.length = 0;
  }

  /** On the same port, with the records that were written. */
  async restart(): Promise<void> {
    this.stop();
    await this.#listen();
  }

  /** The next append is written and its caller never learns of it. */
  dropNextReply(): void {
    this.failNextAppend(
      { code: grpc.status.UNAVAILABLE, details: 'the reply was dropped' },
      { written: true },
    );
  }

  failNextAppend(failure: Failure, { written = false } = {}): void {
    this.#faults.push({ failure, written });
  }

  failNextRead(failure: Failure): void {
    this.#readFaults.push(failure);
  }

  /** Takes calls and answers none, as a node that hangs; what waited is done when it goes on. */
  hang(): void {
    this.#hung = true;
  }

  goOn(): void {
    this.#hung = false;
    for (const proceed of this.#waiting.splice(0)) proceed();
  }

  /** Of the calls that wait, the first is done; the others go on waiting. */
  answerOne(): void {
    this.#waiting.shift()?.();
  }

  /** Subscriptions opened from now on bring nothing, without an error, until this is called with false. */
  silenceSubscriptions(silent: boolean): void {
    this.#silent = silent;
  }

  failSubscriptions(failure: Failure): void {
    for (const subscription of [...this.#subscriptions]) subscription.fail(failure);
  }

  async #listen(): Promise<void> {
    const server = new grpc.Server();
    server.addService(streams.StreamsService, {
      append: this.#append.bind(this),
      read: this.#read.bind(this),
    });
    server.addService(serverFeatures.ServerFeaturesService, {
      getSupportedMethods: (_call: unknown, reply: SupportedMethodsReply) => {
        reply(null, new serverFeatureMessages.SupportedMethods().setEventStoreServerVersion(this.generation));
      },
    });
    this.gossip.addTo(server, () => this.#port);
    const credentials =
      this.#tls === undefined
        ? grpc.ServerCredentials.createInsecure()
        : grpc.ServerCredentials.createSsl(null, [
            { cert_chain: Buffer.from(this.#tls.certificate), private_key: Buffer.from(this.#tls.key) },
          ]);
    this.#port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${this.#port}`, credentials, (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
    this.#server = server;
  }

  /** Now, or when the node goes on. */
  #inTurn(work: () => void): void {
    if (this.#hung) this.#waiting.push(work);
    else work();
  }

  /** Undefined: it may be done here. */
  #refusalOf({ metadata }: Call): Failure | undefined {
    if (this.leader === undefined || metadata.get('requires-leader')[0] !== 'true') return undefined;
    return notLeader(this.leader.address, this.leader.port);
  }

  #append(call: grpc.ServerReadableStream<AppendReq, AppendResp>, reply: AppendReply): void {
    const requests: AppendReq[] = [];
    call.on('data', (request: AppendReq) => requests.push(request));
    call.on('end', () => {
      this.calls.append += 1;
      this.#inTurn(() => {
        this.#answerAppend(call, requests, reply);
      });
    });
  }

  #answerAppend(call: Call, requests: readonly AppendReq[], reply: AppendReply): void {
    const fail = (failure: Failure) => {
      reply(serviceError(failure));
    };
    const options = requests.map((request) => request.getOptions()).find((found) => found !== undefined);
    if (options === undefined) throw new Error('an append begins with its options');
    const proposed = requests.flatMap((request) => request.getProposedMessage() ?? []).map(proposedRecord);
    const stream = streamNameOf(options);
    const expected = expectationOf(options);
    const fault = this.#faults.shift();
    const refusal = this.#refusalOf(call) ?? this.#faultOf(stream, proposed);
    if (refusal !== undefined || fault?.written === false) {
      fail(refusal ?? fault?.failure ?? failures.handler);
      return;
    }
    const identity = JSON.stringify([stream, String(expected), proposed.map(({ id }) => id)]);
    if (this.#inFlight.has(identity)) {
      setTimeout(fail, commitTimeout, failures.commitTimeout).unref();
      return;
    }
    const answer = this.log.append(stream, expected, proposed);
    if (fault !== undefined || answer.outcome === 'tombstone') {
      fail(fault?.failure ?? tombstone(stream));
      return;
    }
    if (answer.outcome !== 'written') {
      reply(null, appendResponse(answer, expected));
      return;
    }
    this.#inFlight.add(identity);
    setTimeout(() => {
      this.#inFlight.delete(identity);
      reply(null, appendResponse(answer, expected));
    }, commitTime);
  }

  #faultOf(stream: string, proposed: readonly ProposedRecord[]): Failure | undefined {
    const broken = proposed.some(({ id, type }) => type === '' || !/^[0-9a-f-]{36}$/.test(id));
    if (stream === '' || broken) return failures.handler;
    if (proposed.reduce((size, record) => size + this.#sizeOf(record), 0) > appendLimit) {
      return failures.tooLarge;
    }
    return undefined;
  }

  /** 23.10 counts the data alone. */
  #sizeOf({ data, metadata, type }: ProposedRecord): number {
    return this.generation === '23.10.6' ? data.length : data.length + metadata.length + type.length;
  }

  #read(call: grpc.ServerWritableStream<ReadReq, ReadResp>): void {
    const options = call.request.getOptions();
    if (options === undefined) throw new Error('a read has options');
    this.calls[options.hasSubscription() ? 'subscribe' : options.hasStream() ? 'read' : 'readAll'] += 1;
    this.#inTurn(() => {
      const failure = this.#failureOfRead(call, options);
      if (failure !== undefined) fail(call, failure);
      else if (options.hasSubscription()) this.#subscribe(call, options);
      else this.#answerRead(call, options);
    });
  }

  #failureOfRead(call: Call, options: ReadReq.Options): Failure | undefined {
    const stream = options.getStream();
    if (stream === undefined) {
      if (this.allDenied) return failures.accessDenied;
    } else if (this.log.isTombstone(streamNameOf(stream))) {
      return tombstone(streamNameOf(stream));
    }
    if (options.hasSubscription() && isImpossibleStart(options)) return failures.handler;
    return this.#refusalOf(call) ?? this.#readFaults.shift();
  }

  #answerRead(call: grpc.ServerWritableStream<ReadReq, ReadResp>, options: ReadReq.Options): void {
    const responses = options.hasStream() ? readStream(this.log, options) : readAll(this.log, options);
    for (const response of responses) call.write(response);
    call.end();
  }

  #subscribe(call: grpc.ServerWritableStream<ReadReq, ReadResp>, options: ReadReq.Options): void {
    if (this.#silent) return;
    const subscription = new FilteredSubscription(this.log, this.generation, options, {
      send: (response) => call.write(response),
      fail: (code, details) => {
        fail(call, { code, details });
      },
    });
    const entry = {
      fail: (failure: Failure) => {
        end();
        fail(call, failure);
      },
      end: () => {
        subscription.end();
      },
    };
    const end = () => {
      subscription.end();
      this.#subscriptions.delete(entry);
    };
    this.#subscriptions.add(entry);
    call.on('cancelled', end).on('close', end);
  }
}

type SupportedMethodsReply = grpc.sendUnaryData<InstanceType<typeof serverFeatureMessages.SupportedMethods>>;

function fail(call: StreamEnding, failure: Failure): void {
  call.emit('error', serviceError(failure));
}

if (import.meta.main) {
  const server = await EventStoreDbServer.start(Number(process.argv[2] ?? 0));
  process.stdout.write(`${server.connectionString}\n`);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  server.stop();
}
