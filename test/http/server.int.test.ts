import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '#http/app.ts';
import { createMetrics } from '#http/metrics.ts';
import { openGate } from '#http/request/rateGate.ts';
import { defineRoute } from '#http/route.ts';
import { PortInUse, listen } from '#http/server.ts';
import { MemoryAudit, nothingKnown, systemClock } from '#test/http/support/memoryAudit.ts';
import { MemoryIdempotency } from '#test/http/support/memoryIdempotency.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { nothingParked } from '#test/http/support/nothingParked.ts';

const test = suite('http: the server');

let arrived = Promise.withResolvers<undefined>();
let released = Promise.withResolvers<undefined>();
const slow = defineRoute({
  method: 'GET',
  path: '/slow',
  summary: 'Answer when told to',
  tags: [],
  authenticated: false,
  responses: { 200: null },
  handle: async () => {
    arrived.resolve(undefined);
    await released.promise;
    return { status: 200, body: 'done' };
  },
});
const app = createApp({
  routes: [slow],
  accessDirectory: { find: () => Promise.resolve(undefined) },
  idempotency: new MemoryIdempotency(),
  audit: new MemoryAudit(),
  clock: systemClock,
  knowsToken: nothingKnown,
  logger: silentLogger,
  publicUrl: 'http://localhost:3000',
  readiness: [],
  metrics: createMetrics(),
  rateLimits: openGate,
  views: nothingParked,
  trustedProxies: [],
});
const loopback = { app, hosts: ['127.0.0.1'], port: 0 };

test.before.each(() => {
  arrived = Promise.withResolvers();
  released = Promise.withResolvers();
});

type Received = { status: number | undefined; connection: string | undefined; text: string };
function request(port: number, path: string, agent: Agent): Promise<Received> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent, host: '127.0.0.1' }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        resolve({ status: response.statusCode, connection: response.headers.connection, text });
      });
    }).on('error', reject);
  });
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  return socket;
}

test('given several addresses, then one port on all that the machine has', async () => {
  const listening = await listen({ app, hosts: ['127.0.0.1', '::1', '2001:db8::1'], port: 0 });
  assert.is(listening.hosts[0], '127.0.0.1');
  assert.not.ok(listening.hosts.includes('2001:db8::1'));
  for (const host of listening.hosts) {
    const name = host.includes(':') ? `[${host}]` : host;
    assert.is((await fetch(`http://${name}:${listening.port}/healthz`)).status, 200);
  }
  await listening.close();
});

test('given none of the addresses, then it fails', async () => {
  const failure = await listen({ app, hosts: ['2001:db8::1'], port: 0 }).catch((error: unknown) => error);
  assert.instance(failure, Error);
});

test('given a port in use, then a typed error, and nothing stays open', async () => {
  const first = await listen(loopback);
  const failure = await listen({ app, hosts: ['127.0.0.2', '127.0.0.1'], port: first.port }).catch(
    (error: unknown) => error,
  );
  assert.instance(failure, PortInUse);
  assert.is(failure instanceof PortInUse && failure.port, first.port);
  await first.close();
  const again = await listen({ app, hosts: ['127.0.0.2', '127.0.0.1'], port: first.port });
  await again.close();
});

test('given a request under way, when closing, then it is answered and its connection ends', async () => {
  const listening = await listen(loopback);
  const agent = new Agent({ keepAlive: true });
  const answer = request(listening.port, '/slow', agent);
  await arrived.promise;
  const closed = listening.close();
  released.resolve(undefined);
  assert.equal(await answer, { status: 200, connection: 'close', text: '"done"' });
  await closed;
  agent.destroy();
});

test('given closing, then new connections are refused', async () => {
  const listening = await listen(loopback);
  await listening.close();
  const failure = await fetch(`http://127.0.0.1:${listening.port}/healthz`).catch((error: unknown) => error);
  assert.instance(failure, TypeError);
});

test('given idle and unused connections, when closing, then they do not hold it up', async () => {
  const listening = await listen(loopback);
  const agent = new Agent({ keepAlive: true });
  assert.is((await request(listening.port, '/healthz', agent)).connection, 'keep-alive');
  const unused = await connected(listening.port);
  const start = performance.now();
  await listening.close();
  assert.ok(performance.now() - start < 1_000);
  unused.destroy();
  agent.destroy();
});

test('given a request that does not end, when closing, then it is cut off after the grace', async () => {
  const listening = await listen({ ...loopback, grace: 100 });
  const agent = new Agent({ keepAlive: true });
  const answer = request(listening.port, '/slow', agent).catch((error: unknown) => error);
  await arrived.promise;
  await listening.close();
  assert.instance(await answer, Error);
  released.resolve(undefined);
  agent.destroy();
});

test('given closing twice, then it is one closing', async () => {
  const listening = await listen(loopback);
  await Promise.all([listening.close(), listening.close()]);
});

test('given what is not HTTP, then a problem body', async () => {
  const listening = await listen(loopback);
  for (const [sent, status] of [
    ['nonsense\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ] as const) {
    const socket = await connected(listening.port);
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.write(sent);
    await once(socket, 'close');
    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(received, /application\/json; charset=utf-8/);
    assert.is(JSON.parse(received.split('\r\n\r\n')[1] ?? '').status, status);
  }
  await listening.close();
});

test('given a client that goes away, then the next one is served', async () => {
  const listening = await listen(loopback);
  const socket = await connected(listening.port);
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrived.promise;
  socket.resetAndDestroy();
  released.resolve(undefined);
  assert.is((await fetch(`http://127.0.0.1:${listening.port}/healthz`)).status, 200);
  await listening.close();
});

test.run();
