import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands in front of several services. */
export type Balancer = {
  url: string;
  /** Requests that were begun and not answered, or answered 5xx. */
  failures: readonly string[];
  /** Gives a service nothing new any more, as is done before it gets its signal. */
  takeOut(port: number): void;
  putBack(port: number): void;
  close(): Promise<void>;
};

/**
 * Gives requests to services in turn, over connections that it keeps. One that takes no connections is passed over;
 * a request that was sent is never sent again.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const failures: string[] = [];
  const agent = new Agent({ keepAlive: true });
  const out = new Set<number>();
  let turn = 0;
  const forward = (
    incoming: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    [port, ...others]: readonly number[],
  ): void => {
    const { method, url: path, headers } = incoming;
    const fail = (reason: string): void => {
      failures.push(`${method} ${reason}`);
      response.destroy();
    };
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      if ((answer.statusCode ?? 500) >= 500) failures.push(`${method} was answered ${answer.statusCode}`);
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'keep-alive' });
      answer.pipe(response);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && others.length > 0) forward(incoming, response, body, others);
      else fail(`${error.code ?? error.message} on ${sent.reusedSocket ? 'a kept' : 'a new'} connection`);
    });
    sent.end(body);
  };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      turn += 1;
      const first = turn % ports.length;
      const inTurn = [...ports.slice(first), ...ports.slice(0, first)];
      forward(
        incoming,
        response,
        Buffer.concat(chunks),
        inTurn.filter((port) => !out.has(port)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    takeOut: (port) => out.add(port),
    putBack: (port) => out.delete(port),
    close: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
