import { once } from 'node:events';
import { createServer } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutbound } from '#infra/outbound/outbound.ts';
import type { Outbound } from '#ports/outbound.ts';
import { makeCertificate } from '#test/outbound/support/certificates.ts';
import { fakeResolver, publicAddress } from '#test/outbound/support/guard.ts';

export type Asked = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
};
export type Said = { status: number; json?: unknown; headers?: Record<string, string> };

/** What happens to the next matching call: an answer in its place, or its loss before or after it was done. */
export type Trouble = { path: RegExp; say?: Said; lose?: 'before' | 'after' | 'silence' };

export type StandIn = {
  baseUrl: string;
  outbound: Outbound;
  asked: Asked[];
  /** What the checks found wrong with requests. Tests end with none. */
  complaints: string[];
  troubles: Trouble[];
  close(): Promise<void>;
};

const authority = makeCertificate({ hosts: [], authority: true });
const served = makeCertificate({ hosts: ['provider.example'], issuer: authority });

/** A provider's server on loopback, over TLS, reached through the guarded client. */
export async function startStandIn(
  answer: (asked: Asked, complain: (what: string) => void) => Said,
): Promise<StandIn> {
  const asked: Asked[] = [];
  const complaints: string[] = [];
  const troubles: Trouble[] = [];
  const server = createServer({ cert: served.certificate, key: served.key }, (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'https://provider.example');
      const method = request.method ?? '';
      const it: Asked = {
        method,
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body,
      };
      asked.push(it);
      const index = troubles.findIndex(({ path }) => path.test(`${method} ${url.pathname}`));
      const [trouble] = index < 0 ? [] : troubles.splice(index, 1);
      if (trouble?.lose === 'before') return request.socket.destroy();
      const said =
        trouble?.say ?? answer(it, (what) => complaints.push(`${method} ${url.pathname}: ${what}`));
      if (trouble?.lose === 'after') return request.socket.destroy();
      if (trouble?.lose === 'silence') return;
      response.writeHead(said.status, { 'content-type': 'application/json', ...said.headers });
      response.end(said.json === undefined ? '' : JSON.stringify(said.json));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outbound = createOutbound({
    exceptions: [],
    resolver: fakeResolver({ 'provider.example': [publicAddress] }),
    certificateAuthorities: [authority.certificate],
    reach: () => '127.0.0.1',
  });
  return {
    baseUrl: `https://provider.example:${(server.address() as AddressInfo).port}`,
    outbound,
    asked,
    complaints,
    troubles,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await outbound.close();
    },
  };
}

/** Answers a repeated key as the first time, and counts what was really done. */
export class Ledger {
  readonly #answers = new Map<string, { request: string; said: Said }>();
  readonly done: string[] = [];

  once(key: string, request: string, conflict: Said, what: string, act: () => Said): Said {
    const known = this.#answers.get(key);
    if (known !== undefined) return known.request === request ? known.said : conflict;
    const said = act();
    this.#answers.set(key, { request, said });
    this.done.push(what);
    return said;
  }

  count(what: string): number {
    return this.done.filter((each) => each === what).length;
  }
}
