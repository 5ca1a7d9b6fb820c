import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';

export type Reply = { status: number; body: string; headers: IncomingMessage['headers'] };

/** As `curl --upload-file` does it: of known length, or in chunks when the content comes in parts. */
export function upload(url: string, content: string | Buffer | Iterable<Buffer>): Promise<Reply> {
  const whole = typeof content === 'string' || Buffer.isBuffer(content);
  return send(url, 'PUT', async (request) => {
    if (whole) {
      request.setHeader('content-length', Buffer.byteLength(content));
      request.end(content);
      return;
    }
    for (const part of content) {
      if (request.destroyed || request.writableEnded) return;
      if (!request.write(part)) await new Promise((resolve) => request.once('drain', resolve));
    }
    request.end();
  });
}

export const download = (url: string): Promise<Reply> => send(url, 'GET', (request) => request.end());

function send(
  url: string,
  method: string,
  write: (request: ReturnType<typeof httpRequest>) => unknown,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, body: Buffer.concat(chunks).toString(), headers });
      });
    });
    request.on('error', reject);
    void write(request);
  });
}

export async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export async function* partsOf(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}
