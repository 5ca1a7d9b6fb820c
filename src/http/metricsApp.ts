import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exposition } from '#http/metrics.ts';
import { problem } from '#http/problem.ts';
import { problemTypeFor } from '#http/problemType.ts';
import type { Logger } from '#ports/logger.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers `/metrics`, and nothing else: for an address that clients do not reach. */
export function createMetricsApp(metrics: Exposition, logger: Logger): { callback(): Handler } {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path] = (request.url ?? '').split('?');
    if (path !== '/metrics') refuse(response, 404);
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(response, 405, { Allow: 'GET, HEAD' });
    } else {
      const text = await metrics.text();
      response.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' });
      response.end(text);
    }
  };
  return {
    callback: () => (request, response) => {
      request.resume();
      answer(request, response).catch((error: unknown) => {
        logger.warn({ err: error }, 'the metrics could not be put together');
        refuse(response, 503);
      });
    },
  };
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  const type = problemTypeFor(response.req.headers.accept);
  response.writeHead(status, { ...headers, 'Content-Type': type }).end(JSON.stringify(problem(status)));
}
