import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startInvocation } from '#commands/invocation/start.ts';
import { commandContext } from '#http/routes/dependencies.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { Json } from '#ports/json.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { invocationStream } from '#domain/invocation/events.ts';
import { randomId } from '#src/identifiers.ts';
import type { PreparedInvocation, ReactorAnswer, Reactors } from '#src/reactors/invocation.ts';
import type { VaultService } from '#test/support/vaultService.ts';

export const json = { 'Content-Type': 'application/json; charset=utf-8' };
export const problemJson = { 'Content-Type': 'application/problem+json' };

/** Quick enough for tests: jobs that fall due are looked for all the time, and workers that died, too. */
export const quick = { pollInterval: 20, sweepInterval: 20 };

export type FakeReactors = Reactors & {
  /** What was run, in its order. */
  runs: { prepared: PreparedInvocation; milliseconds: number }[];
  /** What a run comes to; by default a result that repeats its arguments. */
  answer: (prepared: PreparedInvocation) => Promise<ReactorAnswer>;
};

const reactorOf = (tenantId: string, id: string): PreparedInvocation['reactor'] => ({
  id,
  tenantId,
  name: 'fake',
  applicationId: undefined,
  payloadId: id,
  version: id,
});

/** Reactors without any code. */
export function fakeReactors(): FakeReactors {
  const reactors: FakeReactors = {
    runs: [],
    answer: ({ args }) => Promise.resolve({ status: 200, headers: json, body: { raw: JSON.parse(args) } }),
    prepare: (caller, reactorId, args, origin) =>
      Promise.resolve({
        caller,
        reactor: reactorOf(caller.tenantId, reactorId),
        args: JSON.stringify(args),
        injected: [],
        origin,
      }),
    checkCode: () => Promise.resolve(undefined),
    run: (prepared, { milliseconds }) => {
      reactors.runs.push({ prepared, milliseconds });
      return reactors.answer(prepared);
    },
  };
  return reactors;
}

/** An asynchronous invocation by some application. */
export async function invoke(
  { composition, tenantId }: VaultService,
  callbackUrl?: string,
  args: Json = { amount: 1 },
): Promise<string> {
  const caller: Caller = {
    tenantId,
    applicationId: randomId(),
    keyId: randomId(),
    type: 'private',
    permissions: ['token:use'],
    rules: [],
    tenantSettings: {},
  };
  const traceId = randomId();
  const origin = { traceId, address: '192.0.2.1', depth: 0 };
  const prepared = {
    reactor: reactorOf(tenantId, randomId()),
    caller,
    args: JSON.stringify(args),
    injected: [],
    origin,
  };
  const request = { caller, traceId, address: '192.0.2.1', commandId: randomId(), repeated: false };
  const { id } = await startInvocation(composition, commandContext(request), prepared, { callbackUrl });
  return id;
}

export const eventsOf = (
  { composition: { log }, tenantId }: VaultService,
  id: string,
): Promise<RecordedEvent[]> => log.readStream(invocationStream(tenantId, id));

export const typesOf = async (service: VaultService, id: string): Promise<string[]> =>
  (await eventsOf(service, id)).map(({ type }) => type);

/** The ids of what the vault holds of invocations. */
export async function payloadsOf({ composition }: VaultService, id: string): Promise<string[]> {
  const { rows } = await composition.pools.owner.query<{ id: string }>(
    'select id from vault.payloads where stream like $1',
    [`invocation-%${id}`],
  );
  return rows.map((row) => row.id);
}

export type Received = { method: string; headers: IncomingHttpHeaders; body: string };

export type Receiver = {
  url: string;
  received: Received[];
  /** The status and headers of the next answers. */
  status: () => number;
  headers: Record<string, string>;
  close(): Promise<void>;
};

/** Where callbacks arrive. */
export async function startReceiver(): Promise<Receiver> {
  const receiver = { received: [] as Received[], status: (): number => 204, headers: {} };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      receiver.received.push({ method: request.method ?? '', headers: request.headers, body });
      response.writeHead(receiver.status(), receiver.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/hook`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  });
}
