import { once } from 'node:events';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import serverFeatureMessages from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import * as grpc from '@grpc/grpc-js';
import {
  appendResponse,
  expectationOf,
  proposedRecord,
  streamNameOf,
} from '#test/support/eventstoredb/messages.ts';
import { readAll, readStream, subscribeToAll } from '#test/support/eventstoredb/reads.ts';
import { RecordLog } from '#test/support/eventstoredb/recordLog.ts';

/**
 * As much of an EventStoreDB server as the event log uses, in memory: append with exact revisions, reads, and
 * catch-up subscriptions to `$all`. It speaks through the client package's own stubs, so the client is real.
 *
 * `node test/support/eventstoredb-server.ts <port>` runs it as a process of its own.
 */
export class EventStoreDbServer {
  /** Survives {@link stop} and {@link restart}. */
  readonly log = new RecordLog();
  #server: grpc.Server | undefined;
  #port: number;
  #repliesToDrop = 0;
  #silent = false;

  private constructor(port: number) {
    this.#port = port;
  }

  /** Port 0: a free one. */
  static async start(port = 0): Promise<EventStoreDbServer> {
    const server = new EventStoreDbServer(port);
    // A service has as many subscriptions as it has subscribers.
    server.log.setMaxListeners(0);
    await server.#listen();
    return server;
  }

  get connectionString(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`;
  }

  /** Cuts every call and connection off, as a crash would. */
  stop(): void {
    this.#server?.forceShutdown();
    this.#server = undefined;
    // Subscriptions that are cut off do not end themselves.
    this.log.removeAllListeners('appended');
  }

  /** On the same port, with the records that were written. */
  async restart(): Promise<void> {
    this.stop();
    await this.#listen();
  }

  /** The next append is written and its caller never learns of it. */
  dropNextReply(): void {
    this.#repliesToDrop += 1;
  }

  /** Subscriptions opened from now on bring nothing, without an error, until this is called with false. */
  silenceSubscriptions(silent: boolean): void {
    this.#silent = silent;
  }

  async #listen(): Promise<void> {
    const server = new grpc.Server();
    server.addService(streams.StreamsService, {
      append: this.#append.bind(this),
      read: this.#read.bind(this),
    });
    server.addService(serverFeatures.ServerFeaturesService, { getSupportedMethods });
    this.#port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${this.#port}`, grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
    this.#server = server;
  }

  #append(
    call: grpc.ServerReadableStream<AppendReq, AppendResp>,
    reply: grpc.sendUnaryData<AppendResp>,
  ): void {
    const requests: AppendReq[] = [];
    call.on('data', (request: AppendReq) => requests.push(request));
    call.on('end', () => {
      const options = requests.map((request) => request.getOptions()).find((found) => found !== undefined);
      if (options === undefined) throw new Error('an append begins with its options');
      const proposed = requests.flatMap((request) => request.getProposedMessage() ?? []).map(proposedRecord);
      const expected = expectationOf(options);
      const answer = this.log.append(streamNameOf(options), expected, proposed);
      if (this.#repliesToDrop === 0) {
        reply(null, appendResponse(answer, expected));
        return;
      }
      this.#repliesToDrop -= 1;
      reply({ code: grpc.status.UNAVAILABLE, details: 'the reply was dropped' });
    });
  }

  #read(call: grpc.ServerWritableStream<ReadReq, ReadResp>): void {
    const options = call.request.getOptions();
    if (options === undefined) throw new Error('a read has options');
    if (options.hasSubscription()) {
      if (this.#silent) return;
      const unsubscribe = subscribeToAll(this.log, options, (response) => call.write(response));
      call.on('cancelled', unsubscribe).on('close', unsubscribe);
      return;
    }
    const responses = options.hasStream() ? readStream(this.log, options) : readAll(this.log, options);
    for (const response of responses) call.write(response);
    call.end();
  }
}

function getSupportedMethods(
  _call: unknown,
  reply: grpc.sendUnaryData<InstanceType<typeof serverFeatureMessages.SupportedMethods>>,
): void {
  reply(null, new serverFeatureMessages.SupportedMethods().setEventStoreServerVersion('24.10.0'));
}

if (import.meta.main) {
  const server = await EventStoreDbServer.start(Number(process.argv[2] ?? 0));
  process.stdout.write(`${server.connectionString}\n`);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  server.stop();
}
