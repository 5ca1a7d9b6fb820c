import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The outside world: counts what reactors do to it, and takes what webhooks tell it. */
export type Outside = {
  url: string;
  /** `host:port`, as the settings want it. */
  host: string;
  /** How often each operation was carried out. */
  effects: ReadonlyMap<string, number>;
  /** Ids of the events that told of the creation of each token. */
  creations: ReadonlyMap<string, ReadonlySet<string>>;
  close(): Promise<void>;
};

type Message = { id: string; type: string; data: { token?: { id: string } } };

export async function startOutside(): Promise<Outside> {
  const effects = new Map<string, number>();
  const creations = new Map<string, Set<string>>();
  const hear = ({ id, type, data: { token } }: Message): void => {
    if (type !== 'token.created' || token === undefined) return;
    const events = creations.get(token.id) ?? new Set();
    creations.set(token.id, events.add(id));
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://outside');
    const operation = searchParams.get('operation');
    if (pathname === '/effect' && operation !== null) {
      effects.set(operation, (effects.get(operation) ?? 0) + 1);
    }
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (pathname === '/hook') hear(JSON.parse(text) as Message);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    effects,
    creations,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
