import type { ServerResponse } from 'node:http';
import { serveTls } from '#test/outbound/support/servers.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';

export type GatewayCard = { id: number; network: string; number: string; merchant_id: string };
export type GatewayReply = { status: number; body?: unknown; headers?: Record<string, string> };

/** Answers batches over TLS by a script of replies; the last one stays. */
export function serveGateway(
  ...replies: readonly ((cards: readonly GatewayCard[]) => GatewayReply | 'hang up')[]
): Promise<TestServer> {
  let turn = 0;
  const answer = (body: string, response: ServerResponse): void => {
    const reply = replies[Math.min(turn++, replies.length - 1)]?.(
      (JSON.parse(body) as { cards: GatewayCard[] }).cards,
    );
    if (reply === undefined || reply === 'hang up') {
      response.destroy();
      return;
    }
    response.writeHead(reply.status, reply.headers);
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}));
  };
  const server = serveTls((_, response) => {
    void server.then(({ seen }) => {
      answer(seen.at(-1)?.body ?? '', response);
    });
  });
  return server;
}
