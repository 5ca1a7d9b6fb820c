import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';
import { makeCertificate } from '#test/outbound/support/certificates.ts';
import type { Certificate } from '#test/outbound/support/certificates.ts';

export type Seen = {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
  /** The name that the client asked for in its TLS greeting. */
  serverName: string | false | undefined;
  body: string;
};

export type TestServer = {
  port: number;
  /** TCP connections so far. */
  connections(): number;
  /** Of these, how many are open. */
  open(): number;
  /** Requests so far, with their bodies. */
  seen: Seen[];
  close(): Promise<void>;
};

/** Signs the certificates of every server that does not bring its own. */
export const authority = makeCertificate({ hosts: [], authority: true });
const served = makeCertificate({
  hosts: ['shop.example', 'other.example', '8.8.8.8', '2606:4700::1'],
  issuer: authority,
});

/**
 * Answers over TLS, on 127.0.0.1 unless it is said.
 * @param clients the authority of certificates that clients must show
 */
export function serveTls(
  handle: RequestListener,
  { certificate, key }: Certificate = served,
  clients?: Certificate,
): Promise<TestServer> {
  const asked = clients && { requestCert: true, rejectUnauthorized: true, ca: clients.certificate };
  return serve(createHttpsServer({ cert: certificate, key, ...asked }), handle);
}

export function serveHttp(handle: RequestListener): Promise<TestServer> {
  return serve(createHttpServer(), handle);
}

/** Does what it is told with every connection, in whatever protocol; on every address when there is none. */
export async function serveTcp(handle: (socket: Socket) => void, host?: string): Promise<TestServer> {
  return listening(createTcpServer(handle), [], host);
}

async function serve(server: Server, handle: RequestListener): Promise<TestServer> {
  const seen: Seen[] = [];
  server.on('request', (request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method, url, headers, rawHeaders } = request;
      const serverName = (request.socket as Socket & { servername?: string | false }).servername;
      seen.push({ method, url, headers, rawHeaders, serverName, body });
      handle(request, response);
    });
  });
  return listening(server, seen, '127.0.0.1');
}

async function listening(server: TcpServer, seen: Seen[], host: string | undefined): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    open: () => sockets.size,
    seen,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
