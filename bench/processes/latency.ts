import { Agent, request } from 'node:http';
import { answerProcess } from '#bench/support/process.ts';
import { median } from '#bench/support/rounds.ts';

export type Asked = { method: 'GET' | 'POST'; path: string; body?: string; key?: string };
export type LatencyOrder = { url: string; key: string; asked: readonly Asked[] };

/** The median time of requests one after the other on one connection, in milliseconds. */
await answerProcess<LatencyOrder, number>(async ({ url, key, asked }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (const each of asked) {
    const startedAt = performance.now();
    await send(url, each.key ?? key, each, agent);
    times.push(performance.now() - startedAt);
  }
  agent.destroy();
  return median(times);
});

function isSuccess(status = 0): boolean {
  return status >= 200 && status < 300;
}

function send(url: string, key: string, { method, path, body }: Asked, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'BT-API-KEY': key,
      ...(body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    };
    const sent = request(`${url}${path}`, { method, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        if (isSuccess(response.statusCode) && text.length > 2) resolve();
        else reject(new Error(`${path} answered ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
