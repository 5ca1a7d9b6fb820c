import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '#http/app.ts';
import { createMetrics } from '#http/metrics.ts';
import { openGate } from '#http/request/rateGate.ts';
import { defineRoute } from '#http/route.ts';
import { listen } from '#http/server.ts';
import type { ListenOptions, Listening } from '#http/server.ts';
import { MemoryAudit, nothingKnown, systemClock } from '#test/http/support/memoryAudit.ts';
import { MemoryIdempotency } from '#test/http/support/memoryIdempotency.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';
import { nothingParked } from '#test/http/support/nothingParked.ts';

const test = suite('http: connections');

const facts = { summary: 'x', tags: [], authenticated: false, responses: { 200: null } } as const;
let arrived = 0;
let released = Promise.withResolvers<undefined>();
const big = Buffer.alloc(20_000_000, 'x');
const app = createApp({
  routes: [
    defineRoute({
      ...facts,
      method: 'GET',
      path: '/slow',
      handle: async () => {
        arrived++;
        await released.promise;
        return { status: 200, body: 'done' };
      },
    }),
    defineRoute({
      ...facts,
      method: 'POST',
      path: '/echo',
      body: Type.Unknown(),
      handle: ({ body }) => Promise.resolve({ status: 200, body }),
    }),
    defineRoute({
      ...facts,
      method: 'GET',
      path: '/big',
      handle: () => Promise.resolve({ status: 200, content: { type: 'text/plain', data: big } }),
    }),
    defineRoute({
      ...facts,
      method: 'GET',
      path: '/stream',
      handle: () =>
        Promise.resolve({ status: 200, content: { type: 'text/plain', data: Readable.from([big, big]) } }),
    }),
  ],
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

type Client = { socket: Socket; received(): string; isClosed(): boolean };

async function open({ port }: Listening, sent: string): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let closed = false;
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.on('close', () => (closed = true));
  await once(socket, 'connect');
  socket.write(sent);
  return { socket, received: () => text, isClosed: () => closed };
}

const headers = (line: string): string => `${line} HTTP/1.1\r\nHost: x\r\n`;
const body = `${headers('POST /echo')}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n`;

async function serving(
  options: Partial<ListenOptions>,
  check: (listening: Listening) => Promise<void>,
): Promise<void> {
  const listening = await listen({ app, hosts: ['127.0.0.1'], port: 0, grace: 0, ...options });
  try {
    await check(listening);
  } finally {
    await listening.close();
  }
}

const status = async ({ port }: Listening): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { Connection: 'close' } })).status;

test.before.each(() => {
  arrived = 0;
  released = Promise.withResolvers();
});

test('given as many connections as are kept, when another comes, then the one that waited longest makes room', () =>
  serving({ mostConnections: 4 }, async (listening) => {
    const answered = await open(listening, `${headers('GET /slow')}\r\n`);
    await until(() => arrived === 1);
    const silent = await open(listening, '');
    const partial = await open(listening, headers('GET /healthz'));
    const sendsBody = await open(listening, body);
    assert.is(await status(listening), 200);
    await until(() => silent.isClosed());
    for (let made = 0; made < 20; made++) assert.is(await status(listening), 200);
    released.resolve(undefined);
    await until(() => answered.received().includes('"done"'));
    assert.equal([partial.isClosed(), sendsBody.isClosed()], [false, false]);
  }));

test('given connections that are all being answered, when another comes, then it is the one that is closed', () =>
  serving({ mostConnections: 2 }, async (listening) => {
    const clients = [
      await open(listening, `${headers('GET /slow')}\r\n`),
      await open(listening, `${headers('GET /slow')}\r\n`),
    ];
    await until(() => arrived === 2);
    const third = await open(listening, `${headers('GET /healthz')}\r\n`);
    await until(() => third.isClosed());
    released.resolve(undefined);
    await until(() => clients.every((client) => client.received().includes('"done"')));
    assert.is(await status(listening), 200);
  }));

test('given headers or a body that do not come in time, then 408 and the end of the connection', () =>
  serving(
    { timeouts: { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 } },
    async (listening) => {
      const clients = [
        await open(listening, ''),
        await open(listening, headers('GET /healthz')),
        await open(listening, `${body}{"a":`),
      ];
      await until(() => clients.every((client) => client.isClosed()));
      for (const client of clients) {
        assert.match(client.received(), /^HTTP\/1\.1 408 [^]*application\/json; charset=utf-8/);
      }
      assert.is(await status(listening), 200);
    },
  ));

test('given a body that comes byte by byte in time, then it is answered', () =>
  serving({}, async (listening) => {
    const text = '{"a":"slow"}';
    const client = await open(listening, body.replace('100', String(text.length)));
    for (const byte of text) {
      await new Promise((resolve) => client.socket.write(byte, resolve));
    }
    await until(() => client.received().includes(text));
  }));

for (const path of ['/big', '/stream']) {
  test(`given an answer of which nothing is taken (${path}), then the connection is closed`, async () => {
    const ended = Promise.withResolvers<boolean>();
    const handle = app.callback();
    const watched: ListenOptions['app'] = {
      callback: () => (request, response) => {
        response.once('close', () => {
          ended.resolve(response.writableFinished);
        });
        return handle(request, response);
      },
    };
    await serving({ app: watched, timeouts: { takeTimeout: 200 } }, async (listening) => {
      const client = await open(listening, `${headers(`GET ${path}`)}\r\n`);
      client.socket.pause();
      assert.is(await ended.promise, false);
      client.socket.destroy();
    });
  });
}

test('given an answer that takes long to make, then its connection is not closed meanwhile', () =>
  serving({ timeouts: { takeTimeout: 50 } }, async (listening) => {
    const client = await open(listening, `${headers('GET /slow')}\r\n`);
    await until(() => arrived === 1);
    const start = performance.now();
    await until(() => performance.now() - start > 300);
    released.resolve(undefined);
    await until(() => client.received().includes('"done"'));
    assert.not(client.isClosed());
  }));

test.run();
