import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOutbound } from '#infra/outbound/outbound.ts';
import { StartupError } from '#src/startupError.ts';
import { exceptionsOf, fakeResolver, outcomeOf } from '#test/outbound/support/guard.ts';
import { authority, serveHttp, serveTls } from '#test/outbound/support/servers.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';

type Context = { server: TestServer; other: TestServer; secure: TestServer };
const test = suite<Context>('outbound: exceptions');

test.before.each(async (context) => {
  context.server = await serveHttp((_, response) => response.end('opened'));
  context.other = await serveHttp((_, response) => response.end('opened'));
  context.secure = await serveTls((_, response) => response.end('opened'));
});
test.after.each(async ({ server, other, secure }) => {
  await Promise.all([server.close(), other.close(), secure.close()]);
});

const opened = '200 opened';
const refused = 'OutboundRefused address';

/** The outcomes of some URLs under one setting, with names that lead to this machine. */
const outcomes = async (setting: string, urls: readonly string[]): Promise<string[]> => {
  const outbound = createOutbound({
    exceptions: exceptionsOf(setting),
    resolver: fakeResolver({
      'internal.example': ['127.0.0.1'],
      'shop.example': ['127.0.0.1'],
      'mixed.example': ['127.0.0.1', '10.0.0.1'],
      'public.example': ['8.8.8.8'],
      database: ['127.0.0.1'],
      localhost: ['127.0.0.1'],
    }),
    certificateAuthorities: [authority.certificate],
  });
  const found: string[] = [];
  for (const url of urls) found.push(await outcomeOf(outbound, { url }));
  await outbound.close();
  return found;
};

test('given an exception for a host, then every port of it is open, also without https, and nothing else', async ({
  server,
  other,
  secure,
}) => {
  assert.equal(
    await outcomes('internal.example', [
      `http://internal.example:${server.port}/`,
      `http://INTERNAL.example.:${other.port}/`,
      `http://shop.example:${server.port}/`,
      `http://a.internal.example:${server.port}/`,
      `http://127.0.0.1:${server.port}/`,
    ]),
    [opened, opened, refused, 'OutboundUnreachable name', refused],
  );
  assert.equal(await outcomes('shop.example', [`https://shop.example:${secure.port}/`]), [opened]);
});

test('given an exception for host and port, then only that port is open', async ({ server, other }) => {
  assert.equal(
    await outcomes(`internal.example:${server.port},localhost:${server.port}`, [
      `http://internal.example:${server.port}/`,
      `http://internal.example:${other.port}/`,
      `http://localhost:${server.port}/`,
      `http://localhost:${other.port}/`,
      `http://localhost/`,
    ]),
    [opened, refused, opened, refused, refused],
  );
});

test('given an exception for a network, then it is open under every name and spelling, and no other address is', async ({
  server,
  other,
}) => {
  assert.equal(
    await outcomes('127.0.0.0/30', [
      `http://127.0.0.1:${server.port}/`,
      `http://2130706433:${other.port}/`,
      `http://database:${server.port}/`,
      `http://mixed.example:${server.port}/`,
      `http://127.0.0.4:${server.port}/`,
      `http://[::ffff:127.0.0.1]:${server.port}/`,
    ]),
    [opened, opened, opened, refused, refused, refused],
  );
  assert.equal(
    await outcomes(`127.0.0.0/8:${server.port}`, [
      `http://shop.example:${server.port}/`,
      `http://shop.example:${other.port}/`,
      `http://127.0.0.1:${other.port}/`,
    ]),
    [opened, refused, refused],
  );
});

test('given an exception for an address, then it is open with and without a port', async ({
  server,
  other,
}) => {
  const urls = [`http://127.0.0.1:${server.port}/`, `http://shop.example:${other.port}/`];
  assert.equal(await outcomes('127.0.0.1', urls), [opened, opened]);
  assert.equal(await outcomes(`127.0.0.1:${server.port}`, urls), [opened, refused]);
  assert.equal(await outcomes('[::1],fd00::/8,[fd00::]/8', urls), [refused, refused]);
});

test('given no exception, then a public host is refused without https', async ({ server }) => {
  const urls = ['http://public.example/', 'http://8.8.8.8/', `http://public.example:${server.port}/`];
  const scheme = 'OutboundRefused scheme';
  assert.equal(await outcomes('', urls), [scheme, scheme, scheme]);
  assert.equal(await outcomes('127.0.0.1', urls), [scheme, scheme, scheme]);
});

test('given an exception that is neither a name nor a network, then the client is not made', () => {
  for (const setting of [
    '10.0.0.0/33',
    'name/8',
    '*.example',
    '127.1',
    '0x7f000001',
    'a..b',
    'näme.example',
    '[x]',
  ]) {
    assert.throws(
      () => createOutbound({ exceptions: [{ host: setting, port: undefined }] }),
      (error: unknown) => error instanceof StartupError,
      setting,
    );
  }
});

test.run();
