import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RequestListener } from 'node:http';
import type { OutboundSettings } from '#infra/outbound/outbound.ts';
import { OutboundTimedOut } from '#ports/outbound.ts';
import { exceptionsOf, fakeResolver, outcomeOf, reachingLoopback } from '#test/outbound/support/guard.ts';
import { serveHttp, serveTcp, serveTls } from '#test/outbound/support/servers.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';
import { until } from '#test/support/until.ts';

const test = suite('outbound: limits');

const outcomeFrom = async (server: TestServer, settings: Partial<OutboundSettings>): Promise<string> => {
  const outbound = reachingLoopback({ exceptions: exceptionsOf('127.0.0.1'), ...settings });
  const outcome = await outcomeOf(outbound, { url: `http://127.0.0.1:${server.port}/` });
  await outbound.close();
  return outcome;
};

/** The outcome of a call to a server that answers in its own way. */
const outcomeWith = async (handle: RequestListener, settings: Partial<OutboundSettings>): Promise<string> => {
  const server = await serveHttp(handle);
  const outcome = await outcomeFrom(server, settings);
  await server.close();
  return outcome;
};

/** The same for a server that writes bytes, again and again until it is left. */
const outcomeOfBytes = async (
  first: string,
  again: string,
  settings: Partial<OutboundSettings>,
): Promise<string> => {
  let left = 0;
  const server = await serveTcp((socket) => {
    const write = (): void => {
      if (socket.writable && again !== '') socket.write(again, () => setImmediate(write));
    };
    socket.once('data', () => socket.write(first, write)).on('close', () => left++);
  }, '127.0.0.1');
  const outcome = await outcomeFrom(server, settings);
  await until(() => left === server.connections());
  await server.close();
  return outcome;
};

const soon = { limits: { totalMilliseconds: 100 } };
const timedOut = 'OutboundTimedOut total';

test('given a host that accepts and says nothing, then the time of the call ends it', async () => {
  assert.is(await outcomeOfBytes('', '', soon), timedOut);
});

test('given headers that come slowly or never end, then the time or the size ends them', async () => {
  assert.is(await outcomeOfBytes('HTTP/1.1 200 OK\r\n', '', soon), timedOut);
  assert.is(
    await outcomeOfBytes('HTTP/1.1 200 OK\r\n', 'X-Other: value\r\n', {}),
    'OutboundTooLarge headers',
  );
  assert.is(await outcomeOfBytes('HTTP/1.1 200 OK\r\nX-Other: ', 'x', {}), 'OutboundTooLarge headers');
  assert.is(await outcomeOfBytes('', 'HTTP/1.1 103 Early Hints\r\nX-Other: x\r\n\r\n', soon), timedOut);
});

test('given headers below and above their limit, then the first pass', async () => {
  const answer = (bytes: number) =>
    outcomeWith((_, response) => response.writeHead(200, { 'x-other': 'x'.repeat(bytes) }).end('all'), {
      responseHeaderBytes: 2_000,
    });
  assert.is(await answer(1_500), '200 all');
  assert.is(await answer(2_100), 'OutboundTooLarge headers');
});

test('given a body that comes slowly or never ends, then the time or the size ends it', async () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  assert.is(await outcomeOfBytes('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive', '', soon), timedOut);
  assert.is(await outcomeOfBytes(`${chunked}5\r\nhello\r\n`, '', soon), timedOut);
  assert.is(await outcomeOfBytes(chunked, '5\r\nhello\r\n'.repeat(1_000), {}), 'OutboundTooLarge body');
  assert.is(await outcomeOfBytes(`${chunked}5;x=`, 'y', soon), timedOut);
  assert.is(await outcomeOfBytes('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536), {}), 'OutboundTooLarge body');
});

test('given trailers that never end, then their size ends them', async () => {
  const begun = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n';
  assert.is(await outcomeOfBytes(begun, 'X-Other: value\r\n', {}), 'OutboundTooLarge headers');
});

test('given a body at its limit and a byte above, then the first is answered whole', async () => {
  const answer = (bytes: number) =>
    outcomeWith((_, response) => response.end('x'.repeat(bytes)), { limits: { responseBytes: 1_000 } });
  assert.is(await answer(1_000), `200 ${'x'.repeat(1_000)}`);
  assert.is(await answer(1_001), 'OutboundTooLarge body');
});

test('given answers that are not HTTP, or shorter than they say, then the host is unreachable', async () => {
  const answer = async (text: string) => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.end(text)), '127.0.0.1');
    const outcome = await outcomeFrom(server, {});
    await server.close();
    return outcome;
  };
  assert.is(await answer('SSH-2.0-OpenSSH_9.2\r\n'), 'OutboundUnreachable answer');
  assert.is(
    await answer('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    'OutboundUnreachable connection',
  );
  assert.is(
    await answer('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort'),
    'OutboundUnreachable connection',
  );
  assert.is(
    await answer('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nab'),
    'OutboundUnreachable answer',
  );
  assert.is(await answer(''), 'OutboundUnreachable connection');
});

test('given a host that accepts and never greets in TLS, then the time for the connection ends it', async () => {
  const server = await serveTcp(() => undefined, '127.0.0.1');
  const outbound = reachingLoopback({ connectMilliseconds: 50 });
  const outcome = await outcomeOf(outbound, { url: `https://shop.example:${server.port}/` });
  assert.is(outcome, 'OutboundTimedOut connection');
  await outbound.close();
  await server.close();
});

test('given a request above its limit, then nothing is sent, whichever part is long', async () => {
  const server = await serveTls((_, response) => response.end('all'));
  const outbound = reachingLoopback({ limits: { requestBytes: 1_000 } });
  const url = `https://shop.example:${server.port}/`;
  const long = 'x'.repeat(1_000);
  const tooLarge = 'OutboundTooLarge request';
  assert.is(await outcomeOf(outbound, { url, method: 'POST', body: Buffer.from(`${long}x`) }), tooLarge);
  assert.is(await outcomeOf(outbound, { url, method: 'POST', body: Buffer.from(long) }), '200 all');
  assert.is(await outcomeOf(outbound, { url: url + long }), tooLarge);
  assert.is(await outcomeOf(outbound, { url, headers: [['x-other', long]] }), tooLarge);
  assert.is(server.seen.length, 1);
  assert.is(await outcomeOf(outbound, { url: url + long, limits: { requestBytes: 2_000 } }), '200 all');
  await outbound.close();
  await server.close();
});

test('given a caller that gives up, then the call ends with its reason, before and while it waits', async () => {
  const server = await serveTls(() => undefined);
  const outbound = reachingLoopback();
  const giving = new AbortController();
  const request = { tenantId: 'tenant', url: `https://shop.example:${server.port}/`, signal: giving.signal };
  const waiting = outbound.send(request).catch((error: unknown) => error);
  await until(() => server.seen.length === 1);
  const reason = new Error('the code of the tenant was stopped');
  giving.abort(reason);
  assert.is(await waiting, reason);
  assert.is(await outbound.send(request).catch((error: unknown) => error), reason);
  assert.is(server.seen.length, 1);
  await outbound.close();
  await server.close();
});

test('given an answer that is read as a stream, then it comes in pieces, and an early leave ends the connection', async () => {
  const piece = randomBytes(65_536);
  let left = false;
  const server = await serveTls((_, response) => {
    const write = (): void => {
      if (!response.destroyed) response.write(piece, () => setImmediate(write));
    };
    response.on('close', () => (left = true));
    write();
  });
  const outbound = reachingLoopback({ limits: { responseBytes: 1e12 } });
  const { status, body } = await outbound.stream({
    tenantId: 'tenant',
    url: `https://shop.example:${server.port}/`,
  });
  assert.is(status, 200);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > 1_000_000) break;
  }
  await until(() => left);
  await outbound.close();
  await server.close();
});

test('given a stream that nobody reads, then the time of the call ends it, and whoever reads late is told', async () => {
  let left = false;
  const server = await serveTls((_, response) => {
    response.on('close', () => (left = true)).write('begun');
  });
  const outbound = reachingLoopback({
    limits: { totalMilliseconds: 1_000 },
    resolver: fakeResolver({ 'shop.example': ['8.8.8.8'] }),
  });
  const { body } = await outbound.stream({ tenantId: 'tenant', url: `https://shop.example:${server.port}/` });
  await until(() => left);
  const read = async (): Promise<void> => {
    for await (const chunk of body) assert.ok(chunk);
  };
  const error = await read().catch((reason: unknown) => reason);
  assert.instance(error, OutboundTimedOut);
  await outbound.close();
  await server.close();
});

test.run();
