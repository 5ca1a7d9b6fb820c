import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a receiver of webhooks behaves; nobody listens at a dead one. */
export type Manner = 'healthy' | 'slow' | 'failing' | 'dead';
export type EndpointsOrder = { manners: readonly Manner[] };

/** What one receiver has seen: distinct messages, all requests, and when the first and the last new one came. */
export type Seen = { distinct: number; requests: number; firstAt: number; lastAt: number };
export type EndpointsAnswer = { urls: readonly string[] } | { seen: readonly Seen[] };

/** Milliseconds: the way there and back, and what a slow one takes beside. */
const distance = 20;
const slowness = 30_000;
const failing = 0.3;

const answers: Record<Manner, (response: ServerResponse) => void> = {
  healthy: (response) => {
    setTimeout(() => response.writeHead(204).end(), distance);
  },
  slow: (response) => {
    setTimeout(() => response.writeHead(204).end(), slowness);
  },
  failing: (response) => {
    const status = Math.random() < failing ? 500 : 204;
    setTimeout(() => response.writeHead(status).end(), distance);
  },
  dead: (response) => {
    response.destroy();
  },
};

class Endpoint {
  readonly server: Server;
  readonly #ids = new Set<string>();
  #requests = 0;
  #firstAt = 0;
  #lastAt = 0;

  constructor(manner: Manner) {
    this.server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        this.#note(String(request.headers['webhook-id']));
        answers[manner](response);
      });
    });
  }

  get seen(): Seen {
    return {
      distinct: this.#ids.size,
      requests: this.#requests,
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
    };
  }

  #note(id: string): void {
    this.#requests += 1;
    if (this.#ids.has(id)) return;
    this.#ids.add(id);
    this.#lastAt = performance.now();
    if (this.#ids.size === 1) this.#firstAt = this.#lastAt;
  }
}

/** Receivers of webhooks in a process of their own; each message that it gets asks what they have seen. */
const { manners } = JSON.parse(process.argv[2] ?? '{}') as EndpointsOrder;
const endpoints = manners.map((manner) => new Endpoint(manner));
const urls: string[] = [];
for (const { server } of endpoints) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
}
endpoints.forEach(({ server }, index) => {
  if (manners[index] === 'dead') server.close();
});
process.on('message', () => {
  process.send?.({ seen: endpoints.map(({ seen }) => seen) } satisfies EndpointsAnswer);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ urls } satisfies EndpointsAnswer);
