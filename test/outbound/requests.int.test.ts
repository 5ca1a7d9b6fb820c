import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outbound } from '#ports/outbound.ts';
import { exceptionsOf, outcomeOf, reachingLoopback } from '#test/outbound/support/guard.ts';
import { serveTcp, serveTls } from '#test/outbound/support/servers.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';

type Context = { server: TestServer; url: string; outbound: Outbound };
const test = suite<Context>('outbound: requests');

test.before.each(async (context) => {
  context.server = await serveTls((request, response) => {
    response.setHeader('set-cookie', ['one=1', 'two=2']);
    response.setHeader('X-Mixed', 'Case');
    response.statusCode = request.method === 'DELETE' ? 404 : 200;
    response.end('done');
  });
  context.url = `https://shop.example:${context.server.port}/path?question=1#fragment`;
  context.outbound = reachingLoopback();
});
test.after.each(async ({ server, outbound }) => {
  await outbound.close();
  await server.close();
});

test('given a request, then it arrives as it was given, and the answer comes whole', async ({
  server,
  url,
  outbound,
}) => {
  const answer = await outbound.send({
    tenantId: 'tenant',
    url,
    method: 'post',
    headers: [
      ['X-Twice', 'one'],
      ['X-Twice', 'two'],
      ['User-Agent', 'mine'],
      ['X-Latin', 'caf\u00e9'],
    ],
    body: Buffer.from('body'),
  });
  const [seen] = server.seen;
  assert.is(`${seen?.method} ${seen?.url} ${seen?.body}`, 'POST /path?question=1 body');
  assert.is(seen?.headers['x-twice'], 'one, two');
  assert.is(seen?.headers['user-agent'], 'mine');
  assert.is(seen?.headers['x-latin'], 'caf\u00e9');
  assert.is(seen?.headers['accept-encoding'], 'identity');
  assert.is(seen?.headers['content-length'], '4');
  assert.is(seen?.headers.host, `shop.example:${server.port}`);
  assert.is(seen?.serverName, 'shop.example');
  assert.is(answer.status, 200);
  assert.is(Buffer.from(answer.body).toString(), 'done');
  assert.equal(
    answer.headers.filter(([name]) => name === 'set-cookie' || name === 'x-mixed'),
    [
      ['set-cookie', 'one=1'],
      ['set-cookie', 'two=2'],
      ['x-mixed', 'Case'],
    ],
  );
});

test('given every usual method, then its answer comes, whatever its status', async ({ url, outbound }) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'get', 'QUERY']) {
    assert.is(await outcomeOf(outbound, { url, method }), '200 done', method);
  }
  assert.is(await outcomeOf(outbound, { url, method: 'HEAD' }), '200 ');
  assert.is(await outcomeOf(outbound, { url, method: 'DELETE' }), '404 done');
});

test('given methods and bodies that are not allowed, then nothing is sent', async ({
  server,
  url,
  outbound,
}) => {
  for (const method of ['CONNECT', 'TRACE', 'track', 'GET / HTTP/1.1\r\nX:', 'G T', '', 'GÉT', 'A\nB']) {
    assert.is(await outcomeOf(outbound, { url, method }), 'OutboundRefused method', method);
  }
  for (const method of ['GET', 'HEAD']) {
    assert.is(await outcomeOf(outbound, { url, method, body: Buffer.from('x') }), 'OutboundRefused body');
  }
  assert.is(server.connections(), 0);
});

test('given headers of the connection, then they are left out in every spelling', async ({
  server,
  url,
  outbound,
}) => {
  const names = [
    ...['Host', 'hOST', 'Connection', 'Keep-Alive', 'Transfer-Encoding', 'Content-Length', 'TE', 'Trailer'],
    ...['Upgrade', 'Expect', 'HTTP2-Settings', 'Proxy-Authorization', 'proxy-connection', 'Proxy-X'],
  ];
  const headers = names.map((name) => [name, 'smuggled'] as const);
  const body = Buffer.from('body');
  assert.is(await outcomeOf(outbound, { url, method: 'POST', headers, body }), '200 done');
  const [{ rawHeaders = [], body: arrived } = {}] = server.seen;
  assert.not.ok(rawHeaders.some((text) => text.includes('smuggled')));
  assert.is(rawHeaders.filter((text) => /^(host|content-length|connection)$/i.test(text)).length, 3);
  assert.is(arrived, 'body');
});

test('given names and values that would break out of their line, then nothing is sent', async ({
  server,
  url,
  outbound,
}) => {
  const values = [
    'a\r\nHost: internal',
    'a\nb',
    'a\rb',
    'a\u0000b',
    'a\u007fb',
    'a\u010ab',
    'a\u2028b',
    'a\ud83d\ude00b',
    '\u560a',
  ];
  const names = [
    '',
    'a b',
    'a:',
    'a\r\nb',
    'a\u0000',
    'é',
    'a(b',
    ':path',
    ' host',
    'host ',
    'a\tb',
    'ｈｏｓｔ',
  ];
  const headers = [...values.map((value) => ['x-other', value]), ...names.map((name) => [name, 'value'])] as [
    string,
    string,
  ][];
  for (const header of headers) {
    const outcome = await outcomeOf(outbound, { url, headers: [header] });
    assert.is(outcome, 'OutboundRefused header', JSON.stringify(header));
  }
  assert.is(server.connections(), 0);
});

test('given a path with bytes that a server would take for more, then they arrive encoded', async ({
  server,
  outbound,
}) => {
  const base = `https://shop.example:${server.port}`;
  await outcomeOf(outbound, { url: `${base}/%0d%0aHost:%20internal?é=ü"<>` });
  assert.is(server.seen[0]?.url, '/%0d%0aHost:%20internal?%C3%A9=%C3%BC%22%3C%3E');
});

test('given what is refused or unreachable, then no message names an address', async () => {
  const closedServer = await serveTcp((socket) => socket.end(), '127.0.0.1');
  await closedServer.close();
  const outbound = reachingLoopback({ exceptions: exceptionsOf(`127.0.0.1:${closedServer.port}`) });
  for (const url of [
    'https://10.1.2.3/',
    `http://127.0.0.1:${closedServer.port}/`,
    `https://shop.example:${closedServer.port}/`,
  ]) {
    const error: unknown = await outbound
      .send({ tenantId: 'tenant', url })
      .catch((reason: unknown) => reason);
    assert.instance(error, Error);
    assert.not.match((error as Error).message, /\d/);
    assert.not.match(JSON.stringify(error), /\d/);
  }
  await outbound.close();
});

test('given a body that comes piece by piece, then it is sent as it comes, in its length or in chunks', async ({
  server,
  url,
  outbound,
}) => {
  const request = { tenantId: 'tenant', url, method: 'POST' };
  const pieces = () => Readable.from([Buffer.from('one'), Buffer.from('two')]);
  await outbound.send({ ...request, body: pieces() });
  await outbound.send({ ...request, body: pieces(), bodyLength: 6 });
  assert.equal(
    server.seen.map(({ headers, body }) => [headers['transfer-encoding'], headers['content-length'], body]),
    [
      ['chunked', undefined, 'onetwo'],
      [undefined, '6', 'onetwo'],
    ],
  );
  for (const [bodyLength, limits, outcome] of [
    [5, {}, 'OutboundUnreachable answer'],
    [7, {}, 'OutboundUnreachable answer'],
    [undefined, { requestBytes: 5 }, 'OutboundTooLarge request'],
    [1_000, { requestBytes: 999 }, 'OutboundTooLarge request'],
  ] as const) {
    const failing = { url, method: 'POST', body: pieces(), bodyLength, limits };
    assert.is(await outcomeOf(outbound, failing), outcome, String(bodyLength));
  }
  assert.is(server.seen.length, 2);
});

test.run();
