import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Exchange = {
  method: string | undefined;
  path: string | undefined;
  sent: IncomingHttpHeaders;
  status: number | undefined;
  answered: IncomingHttpHeaders;
};

export type Tap = { port: number; exchanges: Exchange[]; close(): Promise<void> };

/** Stands in front of a server on this machine, passes everything on, and writes down the headers. */
export async function openTap(port: number): Promise<Tap> {
  const exchanges: Exchange[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers: sent } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path, headers: sent, agent: false });
    onward.once('response', (answer) => {
      exchanges.push({ method, path, sent, status: answer.statusCode, answered: answer.headers });
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once('error', (error) => outgoing.destroy(error));
    incoming.pipe(onward);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port: ownPort } = server.address() as AddressInfo;
  return {
    port: ownPort,
    exchanges,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
