import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Message = {
  id: string;
  type: string;
  timestamp: string;
  tenant_id: string;
  trace_id: string;
  data: Record<string, Record<string, unknown>>;
};

export type Received = { headers: IncomingHttpHeaders; body: string; at: number };

export type Receiver = {
  url: string;
  received: Received[];
  /** Answers one request; by default with 204. */
  answer: (response: ServerResponse, received: Received) => void;
  /** What came, read. */
  messages(): Message[];
  close(): Promise<void>;
};

/** Where webhooks deliver. */
export async function startReceiver(): Promise<Receiver> {
  const receiver: Pick<Receiver, 'received' | 'answer'> = {
    received: [],
    answer: (response) => {
      response.writeHead(204).end();
    },
  };
  const server = createServer((request, response) => {
    let body = '';
    response.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const received = { headers: request.headers, body, at: performance.now() };
      receiver.received.push(received);
      receiver.answer(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/hook`,
    messages: () => receiver.received.map(({ body }) => JSON.parse(body) as Message),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  });
}
