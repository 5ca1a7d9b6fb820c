import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outbound } from '#ports/outbound.ts';
import {
  exceptionsOf,
  fakeResolver,
  outcomeOf,
  publicAddress,
  reachingLoopback,
} from '#test/outbound/support/guard.ts';
import { serveHttp, serveTls } from '#test/outbound/support/servers.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';
import { until } from '#test/support/until.ts';

type Context = { server: TestServer; origin: string; outbound: Outbound };
const test = suite<Context>('outbound: redirects');

test.before.each(async (context) => {
  // `/<status>/<location>` redirects; `/hops/<number>` redirects that often.
  context.server = await serveTls((request, response) => {
    const [, first = '', rest = ''] = /^\/(\d+|hops)\/(.*)$/.exec(request.url ?? '') ?? [];
    if (first === '') return response.end('arrived');
    const location = first === 'hops' ? `/hops/${Number(rest) - 1}` : decodeURIComponent(rest);
    if (location === '/hops/-1') return response.end('arrived');
    response.writeHead(first === 'hops' ? 302 : Number(first), { location }).end('elsewhere');
  });
  context.origin = `https://shop.example:${context.server.port}`;
  context.outbound = reachingLoopback({
    resolver: fakeResolver({
      'shop.example': [publicAddress],
      'other.example': [publicAddress],
      'private.example': ['192.168.1.1'],
    }),
  });
});
test.after.each(async ({ server, outbound }) => {
  await outbound.close();
  await server.close();
});

const to = (location: string, status = 302): string => `/${status}/${encodeURIComponent(location)}`;

test('given a redirect, when nobody asked to follow, then it is the answer', async ({
  server,
  origin,
  outbound,
}) => {
  assert.is(await outcomeOf(outbound, { url: `${origin}${to('/there')}` }), '302 elsewhere');
  assert.is(server.seen.length, 1);
});

test('given redirects, when they are followed, then five are and six are refused', async ({
  origin,
  outbound,
}) => {
  const after = (hops: number) =>
    outcomeOf(outbound, { url: `${origin}/hops/${hops}`, followRedirects: true });
  assert.is(await after(5), '200 arrived');
  assert.is(await after(6), 'OutboundRefused redirects');
  const answer = await outbound.send({ tenantId: 'tenant', url: `${origin}/hops/2`, followRedirects: true });
  assert.is(answer.url, `${origin}/hops/0`);
});

test('given redirects into private ranges, when they are followed, then each is refused', async ({
  server,
  origin,
  outbound,
}) => {
  const inside = await serveHttp((_, response) => response.end('inside'));
  const hosts = [
    '127.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'private.example',
    '169.254.169.254',
  ];
  for (const host of hosts) {
    for (const status of [301, 302, 303, 307, 308]) {
      const url = `${origin}${to(`https://${host}:${inside.port}/`, status)}`;
      assert.is(await outcomeOf(outbound, { url, followRedirects: true }), 'OutboundRefused address', url);
    }
  }
  const follow = (location: string) =>
    outcomeOf(outbound, { url: `${origin}${to(location)}`, followRedirects: true });
  assert.is(await follow(`http://shop.example:${inside.port}/`), 'OutboundRefused scheme');
  assert.is(await follow(`//127.0.0.1:${inside.port}/`), 'OutboundRefused address');
  assert.is(await follow(`\\\\127.0.0.1:${inside.port}/`), 'OutboundRefused address');
  assert.is(await follow('file:///etc/passwd'), 'OutboundRefused scheme');
  assert.is(await follow(`https://user:password@shop.example:${server.port}/`), 'OutboundRefused url');
  assert.is(await follow('https://'), 'OutboundRefused url');
  assert.is(inside.connections(), 0);
  await inside.close();
});

test('given a name that turns private between hops, then the hop is refused', async ({ server }) => {
  const resolver = fakeResolver({ 'shop.example': [[publicAddress], ['10.0.0.1']] });
  const outbound = reachingLoopback({ resolver });
  const url = `https://shop.example:${server.port}/hops/1`;
  assert.is(await outcomeOf(outbound, { url, followRedirects: true }), 'OutboundRefused address');
  assert.equal(resolver.asked, ['shop.example', 'shop.example']);
  await outbound.close();
});

test('given an exception for one port, when a host behind it redirects to another port, then that is refused', async () => {
  const inside = await serveHttp((_, response) => response.end('inside'));
  const open = await serveHttp((_, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` }).end();
  });
  const outbound = reachingLoopback({ exceptions: exceptionsOf(`127.0.0.1:${open.port}`) });
  const url = `http://127.0.0.1:${open.port}/`;
  assert.is(await outcomeOf(outbound, { url, followRedirects: true }), 'OutboundRefused address');
  assert.is(inside.connections(), 0);
  await outbound.close();
  await Promise.all([open.close(), inside.close()]);
});

test('given a request with a body, when it is redirected, then method and body go on as in fetch', async ({
  server,
  origin,
  outbound,
}) => {
  const arriving = async (status: number, method: string) => {
    const { body } = method === 'HEAD' ? { body: undefined } : { body: Buffer.from('text') };
    const headers = [['Content-Type', 'text/plain']] as const;
    const url = `${origin}${to('/there', status)}`;
    assert.match(await outcomeOf(outbound, { url, method, headers, body, followRedirects: true }), /^200/);
    const { method: arrived, headers: sent, body: text } = server.seen.at(-1) ?? {};
    return `${arrived} ${sent?.['content-type'] ?? '-'} ${text}`;
  };
  for (const status of [301, 302, 303]) assert.is(await arriving(status, 'POST'), 'GET - ', `${status}`);
  for (const status of [307, 308]) {
    assert.is(await arriving(status, 'POST'), 'POST text/plain text', `${status}`);
  }
  for (const status of [301, 302, 307]) assert.is(await arriving(status, 'PUT'), 'PUT text/plain text');
  assert.is(await arriving(303, 'PUT'), 'GET - ');
  assert.is(await arriving(303, 'HEAD'), 'HEAD text/plain ');
});

test('given credentials, when a redirect leads to another origin, then they stay behind', async ({
  server,
  origin,
  outbound,
}) => {
  const headers = [
    ['Authorization', 'Bearer secret'],
    ['Cookie', 'secret=1'],
    ['X-Api-Key', 'secret'],
    ['Idempotency-Key', 'kept'],
    ['X-Other', 'kept'],
  ] as const;
  const arriving = async (location: string) => {
    await outcomeOf(outbound, { url: `${origin}${to(location)}`, headers, followRedirects: true });
    const { headers: seen = {} } = server.seen.at(-1) ?? {};
    return ['authorization', 'cookie', 'x-api-key', 'idempotency-key', 'x-other'].map((name) => seen[name]);
  };
  assert.equal(await arriving('/there'), ['Bearer secret', 'secret=1', 'secret', 'kept', 'kept']);
  const elsewhere = await arriving(`https://other.example:${server.port}/`);
  assert.equal(elsewhere, [undefined, undefined, undefined, 'kept', 'kept']);
});

test('given a redirect with a body that does not end, when it is followed, then that connection is left', async () => {
  let left = false;
  const server = await serveTls((request, response) => {
    if (request.url === '/there') return response.end('arrived');
    response.on('close', () => (left = true));
    response.writeHead(302, { location: '/there' }).write('begun');
  });
  const outbound = reachingLoopback();
  const url = `https://shop.example:${server.port}/`;
  assert.is(await outcomeOf(outbound, { url, followRedirects: true }), '200 arrived');
  await until(() => left);
  await outbound.close();
  await server.close();
});

test.run();
