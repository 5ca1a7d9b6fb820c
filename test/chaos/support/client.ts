import { Agent } from 'undici';

export type Answered = { status: number; body: unknown; milliseconds: number };

/** What became of a request: an answer, or nothing that tells. */
export type Outcome = Answered | 'unknown';

export type ClientOptions = {
  connections?: number;
  /** For an answer, in milliseconds. */
  patience?: number;
};

export type RequestOptions = { key?: string; idempotencyKey?: string; type?: string };

/** Makes requests of a service that may be killed under them. */
export class Client {
  readonly #url: () => string;
  readonly #key: string;
  readonly #agent: Agent;
  readonly #patience: number;

  /** @param url asked for with each request: a service may come back elsewhere */
  constructor(url: () => string, key: string, { connections = 32, patience = 10_000 }: ClientOptions = {}) {
    this.#patience = patience;
    this.#url = url;
    this.#key = key;
    this.#agent = new Agent({ connections, connectTimeout: 2_000 });
  }

  async ask(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    { key = this.#key, idempotencyKey, type }: RequestOptions = {},
  ): Promise<Outcome> {
    const contentType = type ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
    const began = performance.now();
    try {
      const { statusCode, body: answer } = await this.#agent.request({
        origin: this.#url(),
        method,
        path,
        headers: {
          'BT-API-KEY': key,
          ...(body === undefined ? {} : { 'Content-Type': contentType }),
          ...(idempotencyKey === undefined ? {} : { 'BT-IDEMPOTENCY-KEY': idempotencyKey }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(this.#patience),
      });
      const text = await answer.text();
      const milliseconds = performance.now() - began;
      return { status: statusCode, body: text === '' ? undefined : JSON.parse(text), milliseconds };
    } catch {
      return 'unknown';
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
