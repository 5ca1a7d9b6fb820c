import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Seen = {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
  body: string;
};

export type Destination = {
  url: string;
  /** Whole requests so far. */
  seen: Seen[];
  last(): Seen;
  /** Answers one request that has come whole; by default with what it was sent, as JSON. */
  answer: (response: ServerResponse, seen: Seen) => void;
  /** Takes a request as it comes, in place of that. */
  take: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  reset(): void;
  close(): Promise<void>;
};

const repeat: Destination['answer'] = (response, { body }) => {
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ received: body }));
};

/** Where proxies lead. */
export async function startDestination(): Promise<Destination> {
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    if (destination.take !== undefined) {
      destination.take(request, response);
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request;
      const text = Buffer.from(body, 'latin1').toString();
      const seen = { method, url, headers, rawHeaders, body: text };
      destination.seen.push(seen);
      destination.answer(response, seen);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const destination: Destination = {
    url: `http://127.0.0.1:${port}`,
    seen: [],
    last: () => {
      const seen = destination.seen.at(-1);
      if (seen === undefined) throw new Error('the destination was not asked');
      return seen;
    },
    answer: repeat,
    take: undefined,
    reset: () => {
      destination.answer = repeat;
      destination.take = undefined;
      destination.seen.length = 0;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
  return destination;
}
