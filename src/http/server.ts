import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Socket } from 'node:net';
import { Connections } from '#http/connections.ts';
import { problem } from '#http/problem.ts';
import { problemTypeFor } from '#http/problemType.ts';
import { errno } from '#src/errno.ts';

export type Listening = {
  port: number;
  /** The addresses that are listened on: those of the given that this machine has. */
  hosts: string[];
  /**
   * Takes no new connections, lets requests that are being served end, then closes what is left.
   * Again is harmless.
   */
  close(): Promise<void>;
};

export type ListenOptions = {
  app: { callback(): (request: IncomingMessage, response: ServerResponse) => unknown };
  /** `['127.0.0.1', '::1']`; one that the machine does not have is left out, if another remains. */
  hosts: readonly string[];
  /** 0: any free one, the same on all addresses. */
  port: number;
  /** How long {@link Listening.close} waits for requests, in milliseconds. */
  grace?: number;
  /** On all addresses together; another one closes the one that has waited longest for its client. */
  mostConnections?: number;
  /** In place of {@link limits}. */
  timeouts?: Partial<typeof limits>;
};

/** Somebody listens there already. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse';
  readonly host: string;
  readonly port: number;
  constructor(host: string, port: number) {
    super(`port ${port} of ${host} is in use`);
    this.host = host;
    this.port = port;
  }
}

/** The address cannot be listened on: the machine does not have it, or the user may not. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';
  readonly code: string | undefined;
  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    super(`port ${port} of ${host} cannot be listened on (${cause.code ?? cause.message})`, { cause });
    this.code = cause.code;
  }
}

/**
 * Limits in milliseconds against clients that send slowly, or take nothing of an answer; the longest upload must fit in `requestTimeout`.
 * Connections are kept longer than load balancers do (60 s): the side that closes first must not be this one.
 */
const limits = {
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  takeTimeout: 60_000,
  // Node would refuse without a body; the refusal is below.
  requireHostHeader: false,
};

/**
 * Connections that nothing is sent on stay open for so long when the service stops, in milliseconds: a client may be
 * about to send on one, and would be reset. What it sends is answered, as the last on that connection.
 */
const drain = 500;

/** @throws PortInUse @throws CannotListen */
export async function listen({
  app,
  hosts,
  port,
  grace = 10_000,
  mostConnections = 10_000,
  timeouts = {},
}: ListenOptions): Promise<Listening> {
  const { takeTimeout, ...serverTimeouts } = { ...limits, ...timeouts };
  const connections = new Connections(mostConnections, takeTimeout);
  const serving = new Serving(app.callback(), connections, serverTimeouts);
  const bound: string[] = [];
  let chosen = port;
  let missing: unknown;
  try {
    for (const host of hosts) {
      try {
        chosen = await serving.open(host, chosen);
        bound.push(host);
      } catch (error) {
        if (!isMissingAddress(error)) throw error;
        missing = error;
      }
    }
    if (bound.length === 0) throw missing;
  } catch (error) {
    await serving.close(0);
    throw error;
  }
  let closing: Promise<void> | undefined;
  return { port: chosen, hosts: bound, close: () => (closing ??= serving.close(grace)) };
}

/** One handler behind several addresses. */
class Serving {
  readonly #handle: (request: IncomingMessage, response: ServerResponse) => unknown;
  readonly #servers: Server[] = [];
  readonly #connections: Connections;
  readonly #timeouts: ServerOptions;
  #closing = false;
  #drained = false;

  constructor(
    handle: (request: IncomingMessage, response: ServerResponse) => unknown,
    connections: Connections,
    timeouts: ServerOptions,
  ) {
    this.#handle = handle;
    this.#connections = connections;
    this.#timeouts = timeouts;
  }

  async open(host: string, port: number): Promise<number> {
    const server = createServer(this.#timeouts, (request, response) => {
      this.#serve(request, response);
    });
    server.on('connection', (socket: Socket) => {
      this.#connections.opened(socket);
    });
    server.on('clientError', refuse);
    server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
      answerProblem(response, 417, 'Expectation Failed', 'Nothing but 100-continue can be expected here.');
    });
    await bind(server, host, port);
    this.#servers.push(server);
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  async close(grace: number): Promise<void> {
    this.#closing = true;
    const closed = Promise.all(this.#servers.map(stopListening));
    for (const response of this.#connections.inFlight()) lastOnConnection(response);
    const forced = setTimeout(() => {
      for (const server of this.#servers) server.closeAllConnections();
    }, grace);
    const drained = setTimeout(
      () => {
        this.#drained = true;
        this.#closeIdle();
      },
      Math.min(drain, grace),
    );
    await closed;
    clearTimeout(forced);
    clearTimeout(drained);
  }

  #closeIdle(): void {
    for (const server of this.#servers) server.closeIdleConnections();
    this.#connections.closeUnused();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#connections.asked(request, response);
    response.once('close', () => {
      // Its headers may have promised to keep the connection before closing began.
      if (this.#drained) this.#closeIdle();
    });
    if (this.#closing) lastOnConnection(response);
    const fault = faultOfForm(request);
    if (fault !== undefined) {
      answerProblem(response, 400, 'Bad Request', fault);
      return;
    }
    this.#handle(request, response);
  }
}

/** What is wrong with how a request is written, whatever it asks for. Source: RFC 9112 §2.3 and §3.2 */
function faultOfForm({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion === '0.9') return 'The request names no version of HTTP: 1.1 and 1.0 are served.';
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) return 'The request has more than one Host header.';
  if (hosts.length === 0 && httpVersion === '1.1') return 'The request has no Host header.';
  return undefined;
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(errno(error) === 'EADDRINUSE' ? new PortInUse(host, port) : new CannotListen(host, port, error));
    });
    server.listen(port, host, resolve);
  });
}

/** Resolves when the last connection has ended. `Server.close` of HTTP would end idle ones at once. */
const stopListening = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => {
      resolve();
    });
  });

function lastOnConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** What is refused before it is routed; the connection may be out of step, and is closed. */
function answerProblem(response: ServerResponse, status: number, title: string, detail: string): void {
  const body = JSON.stringify({ ...problem(status, detail), title });
  response
    .writeHead(status, {
      Connection: 'close',
      'Content-Type': problemTypeFor(response.req.headers.accept),
      'Content-Length': Buffer.byteLength(body),
    })
    .end(body);
}

/** What is not HTTP gets a problem body as well, written by hand: there is no response to write to. */
function refuse(error: Error, socket: Socket): void {
  if (errno(error) === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [line, detail] =
    errno(error) === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too long.']
      : errno(error) === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request was not received in time.']
        : ['400 Bad Request', 'The request is not valid HTTP.'];
  const status = Number(line.slice(0, 3));
  const body = JSON.stringify({ ...problem(status, detail), title: line.slice(4) });
  socket.end(
    `HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Type: ${problemTypeFor(undefined)}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const isMissingAddress = (error: unknown): boolean =>
  errno(error) === 'EADDRNOTAVAIL' || errno(error) === 'EAFNOSUPPORT';
