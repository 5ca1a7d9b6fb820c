import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInThisContext } from 'node:vm';
import javascriptSdk from '@basis-theory/basis-theory-js';
import { BasisTheoryApiError } from '@basis-theory/basis-theory-js/common/BasisTheoryApiError.js';
import type { Outcome } from '#test/reactors/bt/support/library.ts';

export type Received = { method: string; url: string; headers: IncomingHttpHeaders; text: string };
export type Canned = { status: number; body?: unknown };

const connect = (port: number) =>
  new javascriptSdk.BasisTheory().init('key', { apiBaseUrl: `http://localhost:${port}` });
type Client = Awaited<ReturnType<typeof connect>>;

/** The library that is imitated, before a server that writes down what comes, and answers what it is told to. */
export class Original {
  readonly client: Client;
  readonly #server;
  #received: Received[] = [];
  #canned: Canned = { status: 200 };

  static async open(): Promise<Original> {
    const server = createServer();
    server.listen(0, 'localhost');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new Original(server, await connect(port));
  }

  private constructor(server: ReturnType<typeof createServer>, client: Client) {
    this.#server = server;
    this.client = client;
    server.on('request', (request, response) => {
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        this.#received.push({ method, url, headers, text });
        const { status, body } = this.#canned;
        response.writeHead(status, { 'Content-Type': 'application/json', 'BT-TRACE-ID': 'trace' });
        response.end(body === undefined ? '' : JSON.stringify(body));
      });
    });
  }

  /** @param call an expression in which `bt` is the library */
  async run(call: string, canned: Canned): Promise<{ outcome: Outcome; received: Received[] }> {
    this.#received = [];
    this.#canned = canned;
    const outcome = await this.#outcome(call);
    return { outcome: JSON.parse(JSON.stringify(outcome)) as Outcome, received: this.#received };
  }

  async #outcome(call: string): Promise<Outcome> {
    try {
      const run = runInThisContext(`(bt) => ${call}`) as (bt: Client) => Promise<unknown>;
      return { returned: await run(this.client) };
    } catch (error) {
      if (!(error instanceof BasisTheoryApiError)) throw error;
      const { name, message, status, data } = error;
      return { threw: { name, message, status, data } };
    }
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
